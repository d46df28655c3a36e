import { type DerEncodedPublicKey, type PublicKey, type Signature, SignIdentity } from '@icp-sdk/core/agent';
import { KEYS, kept, openDatabase, resultOf } from '../kept/database.ts';

/** The one pair of keys this browser has for the page. */
const ONLY = 'identity';

/** The pair of keys this browser keeps for the page, if any. Rejects when the browser keeps nothing. */
async function readKeys(): Promise<CryptoKeyPair | undefined> {
  const database = await openDatabase();
  return resultOf<CryptoKeyPair | undefined>(database.transaction(KEYS).objectStore(KEYS).get(ONLY));
}

/** Keeps a pair of keys instead of any before. */
async function keepKeys(keys: CryptoKeyPair): Promise<void> {
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

const ALGORITHM = 'Ed25519';

/** An Ed25519 identity whose secret key the browser holds and never gives out, not even to this page. */
class BrowserIdentity extends SignIdentity {
  readonly #keys: CryptoKeyPair;
  readonly #publicKey: Uint8Array;

  private constructor(keys: CryptoKeyPair, publicKey: Uint8Array) {
    super();
    this.#keys = keys;
    this.#publicKey = publicKey;
  }

  /** The identity of a pair of keys. */
  static async of(keys: CryptoKeyPair): Promise<BrowserIdentity> {
    return new BrowserIdentity(keys, new Uint8Array(await crypto.subtle.exportKey('spki', keys.publicKey)));
  }

  override getPublicKey(): PublicKey {
    return { toDer: () => this.#publicKey as DerEncodedPublicKey };
  }

  override async sign(blob: Uint8Array): Promise<Signature> {
    const signature = await crypto.subtle.sign(ALGORITHM, this.#keys.privateKey, new Uint8Array(blob));
    return new Uint8Array(signature) as Signature;
  }
}

/** Makes a pair of keys. Rejects when the browser cannot: it is old, or the page did not come over a safe way. */
function makeKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
}

/** The identity that this browser keeps, if any. Rejects when it keeps nothing. */
export async function keptIdentity(): Promise<BrowserIdentity | undefined> {
  const keys = await readKeys();
  return keys && BrowserIdentity.of(keys);
}

/** A new identity, kept instead of any before. Rejects when the browser cannot keep one. */
export async function newIdentity(): Promise<BrowserIdentity> {
  const keys = await makeKeys();
  await keepKeys(keys);
  return BrowserIdentity.of(keys);
}

/** The principal of the identity that this browser keeps, and makes where there is none. Rejects when it cannot keep one. */
export async function ownPrincipal(): Promise<string> {
  const identity = (await keptIdentity()) ?? (await newIdentity());
  return identity.getPrincipal().toText();
}
