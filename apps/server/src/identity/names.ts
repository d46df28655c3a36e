/** Longest name, in characters as a reader counts them. */
const MAX_NAME = 80;
/** Control characters, marks that turn the reading direction, and halves of characters: none belongs to a name. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/u;
/** Joiners are part of some scripts and of emoji. */
const JOINERS = /[\u200c\u200d]/g;

/** A typed name as it is kept: one space between words, composed characters. */
export function tidyName(typed: string): string {
  return typed.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
}

/** The reason why a tidy text cannot be the name of a person, in plain words; undefined when it can. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'Type a name to sign in with.';
  if ([...name].length > MAX_NAME) return `This name is too long. Use at most ${MAX_NAME} characters.`;
  if (HIDDEN.test(name.replaceAll(JOINERS, '')))
    return 'This name contains characters that cannot be seen. Type it again by hand.';
  if (!/[\p{L}\p{N}]/u.test(name)) return 'A name needs at least one letter or digit.';
  return undefined;
}

/** A name as the embedded provider's account: plain ASCII, as OpenID Connect asks of a subject. */
export function accountOf(name: string): string {
  return encodeURIComponent(name);
}

/** The name that an account is made of. */
export function nameOf(account: string): string {
  return decodeURIComponent(account);
}

/** What the console keeps of an account: the same for every spelling of case. */
export function subjectOf(account: string): string {
  return accountOf(nameOf(account).toLowerCase());
}

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
