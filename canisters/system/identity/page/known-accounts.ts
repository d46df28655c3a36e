import type { Passkey } from './passkey.ts';

/** An account that this browser has signed in with. */
export type KnownAccount =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'passkey'; readonly label: string; readonly passkey: Passkey };

const PLACE = 'accounts';
const MAX_KNOWN = 8;

interface Stored {
  readonly name?: string;
  readonly label?: string;
  readonly id?: string;
  readonly key?: string;
}

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const fromHex = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

function stored(account: KnownAccount): Stored {
  if (account.kind === 'name') return { name: account.name };
  const { credentialId, publicKey } = account.passkey;
  return { label: account.label, id: toHex(credentialId), key: toHex(publicKey) };
}

function read({ name, label, id, key }: Stored): KnownAccount[] {
  if (name !== undefined) return [{ kind: 'name', name }];
  if (label === undefined || id === undefined || key === undefined) return [];
  return [{ kind: 'passkey', label, passkey: { credentialId: fromHex(id), publicKey: fromHex(key) } }];
}

/** The accounts that this browser knows, the last one first. */
export function knownAccounts(): readonly KnownAccount[] {
  try {
    const value = JSON.parse(localStorage.getItem(PLACE) ?? '[]') as readonly Stored[];
    return value.flatMap(read);
  } catch {
    // A browser may give this page no storage; what else is there, nobody but this page has written.
    return [];
  }
}

/** Whether two are the same account. */
function isSame(one: KnownAccount, other: KnownAccount): boolean {
  return JSON.stringify({ ...stored(one), label: '' }) === JSON.stringify({ ...stored(other), label: '' });
}

/** Puts an account in front of those that this browser knows. */
export function rememberAccount(account: KnownAccount): void {
  write([account, ...knownAccounts().filter((each) => !isSame(each, account))].slice(0, MAX_KNOWN));
}

/** Forgets one in this browser: the account itself stays. */
export function forgetAccount(account: KnownAccount): void {
  write(knownAccounts().filter((each) => !isSame(each, account)));
}

function write(accounts: readonly KnownAccount[]): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify(accounts.map(stored)));
  } catch {
    // Without storage the user chooses again the next time.
  }
}
