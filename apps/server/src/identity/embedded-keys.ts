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

/** RS256 is the one signature every OpenID Connect client must know (OpenID Connect Core, 15.1). */
export async function makeEmbeddedKeys(): Promise<EmbeddedKeys> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const jwk = {
    ...privateKey.export({ format: 'jwk' }),
    kid: randomBytes(8).toString('hex'),
    use: 'sig',
    alg: 'RS256',
  };
  return {
    jwk,
    cookieKey: randomBytes(32).toString('base64url'),
    clientSecret: randomBytes(32).toString('base64url'),
  };
}
