import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';

const FILE = 'ic-identity.json';

/**
 * The server's own identity on the network, which controls every canister the console creates. Made once and kept
 * in the data folder, readable by the server's user only: whoever has the file controls the canisters.
 */
export async function loadServerIdentity(dataDir: string): Promise<Ed25519KeyIdentity> {
  const path = join(dataDir, FILE);
  const identity = Ed25519KeyIdentity.generate();
  try {
    await writeFile(path, JSON.stringify(identity.toJSON()), { flag: 'wx', mode: 0o600, flush: true });
    return identity;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return Ed25519KeyIdentity.fromJSON(await readFile(path, 'utf8'));
}
