import { createHash, randomBytes } from 'node:crypto';

/** A secret of 256 random bits, for a URL or a header. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What the database keeps of a secret. A fast hash is enough, since the secret cannot be guessed. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
