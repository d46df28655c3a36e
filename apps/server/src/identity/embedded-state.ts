import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';

/** Keys of the embedded provider, made once and kept, so that a restart forgets nobody. */
export const embeddedKeys = z.object({
  jwk: z.record(z.string(), z.unknown()),
  cookieKey: z.string(),
  clientSecret: z.string(),
});
export type EmbeddedKeys = z.infer<typeof embeddedKeys>;

/** How the provider signs what it says of a person: keys of earlier versions are for RS256. */
export function signedBy({ jwk }: EmbeddedKeys): 'ES256' | 'RS256' {
  return jwk['alg'] === 'ES256' ? 'ES256' : 'RS256';
}

/** The console is the only client. A key of the curve P-256 has the strength of 128 bits, one of RSA with 2048 less (NIST SP 800-57). */
export async function makeEmbeddedKeys(): Promise<EmbeddedKeys> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  const jwk = {
    ...privateKey.export({ format: 'jwk' }),
    kid: randomBytes(8).toString('hex'),
    use: 'sig',
    alg: 'ES256',
  };
  return {
    jwk,
    cookieKey: randomBytes(32).toString('base64url'),
    clientSecret: randomBytes(32).toString('base64url'),
  };
}

interface OidcRecord {
  readonly payload: Record<string, unknown>;
  readonly grantId: string | undefined;
  readonly uid: string | undefined;
  readonly expiresAt: Date | undefined;
}

/** Where the embedded OpenID provider keeps what it must not forget. `kind` is the provider's model name. */
export interface OidcRecordStore {
  put(kind: string, id: string, record: OidcRecord): Promise<void>;
  find(kind: string, id: string): Promise<Record<string, unknown> | undefined>;
  findByUid(kind: string, uid: string): Promise<Record<string, unknown> | undefined>;
  /** Marks a one-time record (an authorization code) as used at a time in Unix seconds. */
  consume(kind: string, id: string, at: number): Promise<void>;
  remove(kind: string, id: string): Promise<void>;
  removeGrant(grantId: string): Promise<void>;
}
