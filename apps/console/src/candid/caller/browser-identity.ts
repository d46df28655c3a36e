import { type DerEncodedPublicKey, type PublicKey, type Signature, SignIdentity } from '@icp-sdk/core/agent';

const ALGORITHM = 'Ed25519';

/** An Ed25519 identity whose secret key the browser holds and never gives out, not even to this page. */
export class BrowserIdentity extends SignIdentity {
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
export function makeKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
}
