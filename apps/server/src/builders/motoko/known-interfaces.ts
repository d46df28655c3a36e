import { readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';

/** Copies of the interfaces in the public package `@icp-sdk/canisters`; a test compares them. */
const INTERFACES = new URL('./interfaces/', import.meta.url);

/**
 * Interfaces that projects name by an address at GitHub, and their files. Their methods only grow, so a newer one serves a
 * project that names an older one, and nothing has to be fetched.
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
  return readFile(new URL(file, INTERFACES), 'utf8');
}

/** Principal of the management canister, as `import "ic:aaaaa-aa"` names it. */
export const MANAGEMENT_ID = 'aaaaa-aa';

/**
 * Optional fields of arguments in the order in which the interface specification got them, the newest first (its changelog,
 * and those of ic-cdk and of the portal's ic.did). Motoko wants every field of a record to be written, so that code of
 * before does not compile against the interface of today. A field that is left out is null for the network.
 */
const NEWEST_FIRST: readonly (readonly string[])[] = [
  ['snapshot_visibility'],
  ['environment_variables'],
  ['is_replicated'],
  ['wasm_memory_threshold', 'aux'],
  ['log_visibility', 'wasm_memory_limit'],
  ['reserved_cycles_limit'],
  ['sender_canister_version'],
];

/** The interface of the management canister as Candid, today's first, then as it was before each group of fields came. */
export function managementInterfaces(): readonly string[] {
  const today = readFileSync(new URL('ic-management/ic-management.did', INTERFACES), 'utf8');
  const forms = [today];
  for (const fields of NEWEST_FIRST) {
    const isNewer = (line: string): boolean =>
      fields.some((field) => line.trim().startsWith(`${field} : opt `));
    const lines = (forms.at(-1) ?? '').split('\n').filter((line) => !isNewer(line));
    forms.push(lines.join('\n'));
  }
  return forms;
}
