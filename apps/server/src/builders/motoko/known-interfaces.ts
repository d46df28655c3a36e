import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Interfaces that projects name by an address at GitHub, and the files of the public package that has them. Their methods
 * only grow, so a newer one serves a project that names an older one, and nothing has to be fetched.
 */
const KNOWN: readonly (readonly [address: RegExp, file: string])[] = [
  [/icp_ledger|rosetta-api\/ledger|ledger_canister|ledger\.public/, 'ledger-icp/ledger.did'],
  [/icrc1\/index|index-ng|icrc_index/, 'ledger-icrc/icrc_index.did'],
  [/icrc1\/ledger|icrc1-ledger|icrc1_ledger|icrc_ledger/, 'ledger-icrc/icrc_ledger.did'],
  [/cycles[-_]ledger/, 'cycles-ledger/cycles-ledger.did'],
  [/cmc\.did/, 'cmc/cmc.did'],
  [/icp_index|ledger-index|icp\/index/, 'ledger-icp/index.did'],
  [/ckbtc\/minter/, 'ckbtc/minter.did'],
];
/** Characters of an address that are looked at. */
const LOOKED_AT = 500;

/** The interface of a well-known canister by the address that a project gives; null for any other. */
export async function knownInterface(address: string): Promise<string | null> {
  const file = KNOWN.find(([pattern]) => pattern.test(address.slice(0, LOOKED_AT)))?.[1];
  if (file === undefined) return null;
  const folder = dirname(createRequire(import.meta.url).resolve('@icp-sdk/canisters'));
  return readFile(join(folder, 'declarations', file), 'utf8');
}
