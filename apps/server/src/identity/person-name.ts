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
