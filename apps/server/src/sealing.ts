import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError, textOf } from './errors.ts';

/** What was sealed by another key, for another place, or was changed since. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/** Keeps texts in the database so that a copy of the database does not tell them. */
export interface Sealing {
  /** @param place where the sealed text belongs, such as a row; it opens for no other */
  seal(text: string, place: string): Buffer;
  /** @throws SealError */
  open(sealed: Uint8Array, place: string): string;
}

const FILE = 'secrets.key';
const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
/** As NIST SP 800-38D recommends for this mode. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEX_KEY = /^[0-9a-f]{64}$/i;

/**
 * The key of the server: that of the operator's file if one is given, else it is made once and kept in the data folder,
 * readable by the server's user only. Servers of one database need the same key.
 * @param keyFile a file with 64 hexadecimal digits
 * @throws StartError when the file has no key
 */
export async function loadSecretsKey(dataDir: string, keyFile?: string): Promise<Buffer> {
  if (keyFile !== undefined) return keyIn(keyFile, 'SECRETS_KEY_FILE ');
  const path = join(dataDir, FILE);
  const key = randomBytes(KEY_BYTES);
  try {
    await writeFile(path, `${key.toString('hex')}\n`, { flag: 'wx', mode: 0o600, flush: true });
    return key;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return keyIn(path);
}

/** A key for one purpose, which tells nothing of the key of the server nor of that of another purpose (RFC 5869). */
export function keyFor(purpose: string, key: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `cannery: ${purpose}`, KEY_BYTES));
}

async function keyIn(path: string, setting = ''): Promise<Buffer> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new StartError(`${setting}${path} cannot be read: ${textOf(error)}`);
  });
  if (!HEX_KEY.test(text.trim())) {
    throw new StartError(
      `${setting}${path} has no key. It must hold 64 hexadecimal digits (openssl rand -hex 32).`,
    );
  }
  return Buffer.from(text.trim(), 'hex');
}

/** Seals by AES-256 in Galois/Counter Mode, as nonce, tag and content. */
export function sealingOf(key: Buffer): Sealing {
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
        throw new SealError('A sealed text does not open with the key of this server.', { cause: error });
      }
    },
  };
}
