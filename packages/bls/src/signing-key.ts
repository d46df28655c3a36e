import { Fr, type G2, mul } from 'mcl-wasm';
import { hashToG1 } from './hash-to-g1.ts';

/**
 * A secret key that signs. The time that takes tells something of the key, so this is for keys that protect nothing but a
 * local network from itself.
 */
export class SigningKey {
  readonly #secret = new Fr();
  readonly #generator: G2;

  /**
   * @param secret 32 bytes, big-endian, of a number between 0 and the order of the group
   * @throws RangeError for anything else
   */
  constructor(secret: Uint8Array, generator: G2) {
    this.#generator = generator;
    try {
      this.#secret.deserialize(secret);
    } catch {
      throw new RangeError('a secret key is 32 bytes, less than the order of the group');
    }
    if (this.#secret.isZero()) throw new RangeError('a secret key is not zero');
  }

  /** The public key: a compressed point of G2, 96 bytes. */
  publicKey(): Uint8Array {
    return mul(this.#generator, this.#secret).serialize();
  }

  /** The signature over a message: a compressed point of G1, 48 bytes. Takes about 1 ms of pure computation. */
  sign(message: Uint8Array): Uint8Array {
    return mul(hashToG1(message), this.#secret).serialize();
  }
}
