import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/**
 * Stretching makes guessed words expensive. A password of 256 random bits cannot be guessed, and every connection that is
 * opened would pay for it.
 */
const ITERATIONS = 1;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/**
 * What Postgres keeps of a random password (RFC 5803), so that the password itself never reaches its log.
 * @param password 256 random bits as text
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, KEY_BYTES, 'sha256');
  const keyed = (label: string): Buffer => createHmac('sha256', salted).update(label).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  const server = keyed('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${server}`;
}
