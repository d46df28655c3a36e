import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

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
  const folder = dirname(createRequire(import.meta.url).resolve('@icp-sdk/canisters'));
  const today = readFileSync(join(folder, 'declarations/ic-management/ic-management.did'), 'utf8');
  const forms = [today];
  for (const fields of NEWEST_FIRST) {
    const isNewer = (line: string): boolean =>
      fields.some((field) => line.trim().startsWith(`${field} : opt `));
    const lines = (forms.at(-1) ?? '').split('\n').filter((line) => !isNewer(line));
    forms.push(lines.join('\n'));
  }
  return forms;
}
