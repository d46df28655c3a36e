import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SignIdentity } from '@icp-sdk/core/agent';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { Secp256k1KeyIdentity } from '@icp-sdk/core/identity/secp256k1';
import { makeOnce } from '../../data-dir/make-once.ts';
import { StartError, textOf } from '../../errors.ts';
import { NativeIdentity } from './ed25519.ts';

const ENCRYPTED = /BEGIN ENCRYPTED PRIVATE KEY|Proc-Type: 4,ENCRYPTED/;
const PKCS8 = /-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----/;
/** In a PKCS#8 key: the identifier of Ed25519, and the two headers of the 32 bytes behind it (RFC 8410). */
const ED25519_SECRET = Buffer.from('06032b657004220420', 'hex');
const SECRET_BYTES = 32;

/**
 * The identity of a private key as `icp identity export` and `dfx identity export` write it: Ed25519 or secp256k1.
 * @throws Error with a sentence about what is wrong
 */
export function identityOfPem(pem: string): SignIdentity {
  if (ENCRYPTED.test(pem)) throw new Error('it is encrypted; export the key without a password.');
  // Some tools add the public key in a form that OpenSSL does not read; the secret is where it always is.
  const der = Buffer.from(PKCS8.exec(pem)?.[1] ?? '', 'base64');
  const at = der.indexOf(ED25519_SECRET);
  if (at !== -1) {
    const start = at + ED25519_SECRET.length;
    const secret = der.subarray(start, start + SECRET_BYTES);
    if (secret.length === SECRET_BYTES) return Ed25519KeyIdentity.fromSecretKey(new Uint8Array(secret));
  }
  const key = parsed(pem);
  const { kty, crv, d } = key.export({ format: 'jwk' });
  if (kty !== 'EC' || crv !== 'secp256k1' || d === undefined)
    throw new Error('its key is neither Ed25519 nor secp256k1.');
  return Secp256k1KeyIdentity.fromSecretKey(new Uint8Array(Buffer.from(d, 'base64url')));
}

function parsed(pem: string): KeyObject {
  // Files of OpenSSL may begin with the parameters of the curve, which are no key.
  const key = pem.replace(/-----BEGIN EC PARAMETERS-----[\s\S]*?-----END EC PARAMETERS-----/, '').trim();
  try {
    return createPrivateKey(key);
  } catch {
    throw new Error('it holds no private key in PEM form.');
  }
}

const FILE = 'ic-identity.json';

/**
 * The server's own identity on the network, which controls every canister the console creates and owns the account in
 * the cycles ledger that pays for them. It is the operator's file if one is given: PEM, or what was made in another data folder. Else it is made once and kept in
 * the data folder, readable by the server's user only: whoever has the file controls the canisters.
 * @throws StartError when the file cannot be used
 */
export async function loadServerIdentity(dataDir: string, identityFile?: string): Promise<SignIdentity> {
  if (identityFile !== undefined) {
    try {
      const text = await readFile(identityFile, 'utf8');
      // The file of another data folder may be given to more processes as it is.
      return native(text.startsWith('[') ? Ed25519KeyIdentity.fromJSON(text) : identityOfPem(text));
    } catch (error) {
      throw new StartError(`IC_IDENTITY_FILE ${identityFile} cannot be used: ${textOf(error)}`);
    }
  }
  const path = join(dataDir, FILE);
  const read = async (): Promise<SignIdentity> =>
    native(Ed25519KeyIdentity.fromJSON(await readFile(path, 'utf8')));
  try {
    return await read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  // Where there is one, no start waits 70 ms for a key that it does not need.
  await makeOnce(path, JSON.stringify(Ed25519KeyIdentity.generate().toJSON()));
  return read();
}

function native(identity: SignIdentity): SignIdentity {
  return identity instanceof Ed25519KeyIdentity ? new NativeIdentity(identity) : identity;
}
