/** A folder that may be meant as the root directory of a deploy, and the file that says so. */
export interface LikelyRoot {
  /** Relative to where it was looked for. */
  readonly folder: string;
  /** Name of the file, such as 'dfx.json'. */
  readonly file: string;
}

/** Most folders that are offered, and how deep they may lie. */
const MOST = 5;
const DEEPEST = 4;
/** Parts of paths that hold no project to publish. */
const NEVER =
  /(?:^|\/)(?:\.[^/]*|node_modules|tests?|__tests__|fixtures?|e2e|vendor|dist|build|target)(?:\/|$)/i;

const depthOf = (folder: string): number => folder.split('/').length;

/** A few of the folders, those least deep first; of several files of a folder the first counts. */
export function likeliest(found: readonly LikelyRoot[]): LikelyRoot[] {
  const byFolder = new Map<string, LikelyRoot>();
  for (const one of found) {
    const { folder } = one;
    if (folder === '' || folder === '.' || byFolder.has(folder)) continue;
    if (depthOf(folder) <= DEEPEST && !NEVER.test(folder)) byFolder.set(folder, one);
  }
  return [...byFolder.values()]
    .toSorted((a, b) => depthOf(a.folder) - depthOf(b.folder) || (a.folder < b.folder ? -1 : 1))
    .slice(0, MOST);
}

/** What to do, as sentences: 'dfx.json is in motoko: set it as Root directory in the settings of the deploy.' */
export function rootsText(roots: readonly LikelyRoot[]): string {
  const [first, ...more] = roots;
  if (first === undefined) return '';
  if (more.length === 0)
    return `${first.file} is in ${first.folder}: set it as Root directory in the settings of the deploy.`;
  const places = roots.map(({ file, folder }) => `${file} is in ${folder}`).join(', ');
  return `${places}: set one of these folders as Root directory in the settings of the deploy.`;
}
