import { KEYS, kept, openDatabase, resultOf } from './database.ts';

/** The one pair of keys this browser has for the page. */
const ONLY = 'identity';

/** The pair of keys this browser keeps for the page, if any. Rejects when the browser keeps nothing. */
export async function readKeys(): Promise<CryptoKeyPair | undefined> {
  const database = await openDatabase();
  return resultOf<CryptoKeyPair | undefined>(database.transaction(KEYS).objectStore(KEYS).get(ONLY));
}

/** Keeps a pair of keys instead of any before. */
export async function keepKeys(keys: CryptoKeyPair): Promise<void> {
  const database = await openDatabase();
  const transaction = database.transaction(KEYS, 'readwrite');
  transaction.objectStore(KEYS).put(keys, ONLY);
  await kept(transaction);
}

/** Deletes the pair of keys; what it alone could do, nobody can do any more. */
export async function forgetKeys(): Promise<void> {
  const database = await openDatabase();
  const transaction = database.transaction(KEYS, 'readwrite');
  transaction.objectStore(KEYS).delete(ONLY);
  await kept(transaction);
}
