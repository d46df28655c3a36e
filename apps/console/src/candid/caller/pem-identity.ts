import type { SignIdentity } from '@icp-sdk/core/agent';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { Secp256k1KeyIdentity } from '@icp-sdk/core/identity/secp256k1';
import { PemError, readPem } from './read-pem.ts';

/**
 * The identity of a private key in PEM form. It lives as long as the page holds it.
 * @throws PemError with a sentence about what is wrong
 */
export function pemIdentity(pem: string): SignIdentity {
  const { kind, secret } = readPem(pem);
  try {
    return kind === 'ed25519'
      ? Ed25519KeyIdentity.fromSecretKey(secret)
      : Secp256k1KeyIdentity.fromSecretKey(secret);
  } catch (cause) {
    throw new PemError('The key in this text cannot be used: its number is out of range.', { cause });
  }
}
