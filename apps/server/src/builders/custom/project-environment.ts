import { isAddress, type NetworkName } from '../project/dfx-settings.ts';
import type { PlannedCanister } from '../project/plan.ts';
import type { BuildRun } from '../step/step-runner.ts';

/** The dfx whose files and variables are written here; projects compare it with what they need. */
const DFX_VERSION = '0.29.0';

/** `my-canister` as it is in a variable of dfx. */
function upper(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}

/** `my-canister` as it is in a variable of icp-cli. */
function plainUpper(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}

/**
 * What dfx and icp-cli tell the commands of a project by environment variables.
 * @param ids principals as text, by the names of canisters
 */
export function projectEnvironment(
  ids: ReadonlyMap<string, string>,
  network: NetworkName,
): Record<string, string> {
  const env: Record<string, string> = {
    DFX_NETWORK: network,
    DFX_VERSION,
    ICP_CLI_ENVIRONMENT: network,
    ICP_CLI_NETWORK: network,
  };
  for (const [name, id] of ids) {
    env[`CANISTER_ID_${upper(name)}`] = id;
    // As older releases of dfx wrote it.
    env[`${upper(name)}_CANISTER_ID`] = id;
    env[`ICP_CLI_CID_${plainUpper(name)}`] = id;
  }
  return env;
}

/** Where code generators of Rust (ic-cdk-bindgen) find the interfaces of other canisters of the project, as dfx tells them. */
export function interfacePaths(
  run: Pick<BuildRun, 'sandbox' | 'folders'>,
  canisters: readonly PlannedCanister[],
  network: NetworkName,
): Record<string, string> {
  const source = run.sandbox.seen.source(run.folders);
  const paths = canisters.flatMap((one): [string, string][] => {
    const written = 'candid' in one ? one.candid : null;
    const path = one.kind === 'motoko' ? `.dfx/${network}/canisters/${one.name}/${one.name}.did` : written;
    if (path === null || isAddress(path)) return [];
    return [[`CANISTER_CANDID_PATH_${upper(one.name)}`, `${source}/${path}`]];
  });
  return Object.fromEntries(paths);
}

const BEGIN = '# DFX CANISTER ENVIRONMENT VARIABLES';
const END = '# END DFX CANISTER ENVIRONMENT VARIABLES';

/**
 * Text of the project's `.env` with the variables in it. What the project has in the file stays, but for an earlier
 * section of this kind.
 */
export function envFileText(before: string, env: Readonly<Record<string, string>>): string {
  const start = before.indexOf(BEGIN);
  const stop = start < 0 ? -1 : before.indexOf(END, start);
  const kept =
    start < 0 ? before : before.slice(0, start) + (stop < 0 ? '' : before.slice(stop + END.length));
  const lines = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  return `${kept.trimEnd()}\n${BEGIN}\n${lines.join('\n')}\n${END}\n`.trimStart();
}

/** `canister_ids.json` of dfx: each canister's id on the network. */
export function canisterIdsText(ids: ReadonlyMap<string, string>, network: NetworkName): string {
  const entries = [...ids].map(([name, id]) => [name, { [network]: id }]);
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}
