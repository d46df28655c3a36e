/** First path segments of the console's own addresses: repositories live at /{username}/{name}.git beside them. */
const RESERVED = new Set([
  'api',
  'api-docs',
  'app',
  'assets',
  'auth',
  'candid',
  'canisters',
  'documentation',
  'ics',
  'login',
  'oidc',
  'sign-in',
]);

const USERNAME_RULE =
  'A name has 1 to 39 letters, digits, hyphens, underscores or dots, and starts with a letter, a digit or an underscore.';

/** The reason why a text cannot be a username; undefined when it can. */
export function usernameProblem(name: string): string | undefined {
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,38}$/.test(name)) return USERNAME_RULE;
  // Such an ending would collide with the addresses and the lock files of git.
  if (/\.(git|lock)$/i.test(name) || name.includes('..') || name.endsWith('.'))
    return 'A name must not end in .git, .lock or a dot, and must not have two dots in a row.';
  if (RESERVED.has(name.toLowerCase())) return 'This name is reserved. Choose another one.';
  return undefined;
}

/** A valid username made from whatever an identity provider says about a person. */
export function usernameFrom(...candidates: readonly (string | undefined)[]): string {
  for (const candidate of candidates) {
    const name = (candidate ?? '')
      .normalize('NFKD')
      .replace(/@.*$/, '')
      .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
      .replaceAll(/^-+|(?<!-)-+$/g, '')
      .slice(0, 32);
    if (name !== '' && usernameProblem(name) === undefined) return name;
  }
  return 'user';
}
