/** What the user agent of a browser says, by the first mark that is in it: other browsers name the later ones too. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
  ['curl/', 'curl'],
] as const;
const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/**
 * Browser and system in words, such as 'Firefox on Linux': enough to know one's own, and all that is kept of the user
 * agent.
 */
export function deviceOf(userAgent: string | undefined): string {
  const find = (marks: readonly (readonly [string, string])[]) =>
    marks.find(([mark]) => userAgent?.includes(mark))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser === undefined) return system === undefined ? 'Another program' : `A program on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}
