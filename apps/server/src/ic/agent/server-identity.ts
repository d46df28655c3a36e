import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SignIdentity } from '@icp-sdk/core/agent';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { StartError, textOf } from '../../errors.ts';
import { NativeIdentity } from './ed25519.ts';
import { identityOfPem } from './identity-pem.ts';

const FILE = 'ic-identity.json';

/**
 * The server's own identity on the network, which controls every canister the console creates and owns the account in
 * the cycles ledger that pays for them. It is the operator's PEM file if one is given. Else it is made once and kept in
 * the data folder, readable by the server's user only: whoever has the file controls the canisters.
 * @throws StartError when the PEM file cannot be used
 */
export async function loadServerIdentity(dataDir: string, identityFile?: string): Promise<SignIdentity> {
  if (identityFile !== undefined) {
    try {
      return native(identityOfPem(await readFile(identityFile, 'utf8')));
    } catch (error) {
      throw new StartError(`IC_IDENTITY_FILE ${identityFile} cannot be used: ${textOf(error)}`);
    }
  }
  const path = join(dataDir, FILE);
  const identity = Ed25519KeyIdentity.generate();
  try {
    await writeFile(path, JSON.stringify(identity.toJSON()), { flag: 'wx', mode: 0o600, flush: true });
    return native(identity);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return native(Ed25519KeyIdentity.fromJSON(await readFile(path, 'utf8')));
}

function native(identity: SignIdentity): SignIdentity {
  return identity instanceof Ed25519KeyIdentity ? new NativeIdentity(identity) : identity;
}
