import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** What was sealed by another key, for another place, or was changed since. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/** Seals and opens texts by one key. */
interface Cipher {
  /** @param place where the sealed text belongs, such as a row; it opens for no other */
  seal(text: string, place: string): Buffer;
  /** @throws SealError */
  open(sealed: Uint8Array, place: string): string;
}

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** As NIST SP 800-38D recommends for this mode. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key for one purpose, which tells nothing of the key of the server nor of that of another purpose (RFC 5869). */
export function keyFor(purpose: string, key: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `cannery: ${purpose}`, KEY_BYTES));
}

/** Seals by AES-256 in Galois/Counter Mode, as nonce, tag and content. */
export function sealingOf(key: Buffer): Cipher {
  return {
    seal(text, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(place));
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), content]);
    },
    open(sealed, place) {
      try {
        const nonce = sealed.subarray(0, NONCE_BYTES);
        const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(place));
        decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const start = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([start, decipher.final()]).toString('utf8');
      } catch (error) {
        throw new SealError('A sealed text does not open with this key.', { cause: error });
      }
    },
  };
}
