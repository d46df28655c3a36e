import type { TokenKeys } from '../git/remote/internal-token.ts';
import type { Keyring } from '../keyring/keyring.ts';
import { keyFor } from '../sealing.ts';

/** The key of tokens between roles. */
export const doorKey = (key: Buffer): Buffer => keyFor('tokens between roles', key);

/** Tokens are signed by what the file has as the key that seals, and may be of any key that is known: a rotation goes on meanwhile. */
export function doorKeysOf(keyring: Keyring): TokenKeys {
  const made = new Map<Buffer, Buffer>();
  const of = (key: Buffer): Buffer => {
    const known = made.get(key) ?? doorKey(key);
    made.set(key, known);
    return known;
  };
  return {
    signing: () => of(keyring.keys().current),
    accepted: () => {
      // Looks at the file.
      keyring.keys();
      return [...keyring.all()].map(of);
    },
  };
}
