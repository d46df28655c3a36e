import { BuildError } from '../../build/step-runner.ts';
import { compareWithInstalled } from '../canister/inspect-module.ts';
import { unpackWasm } from '../canister/unpack-wasm.ts';
import type { Publication } from './publish-site.ts';

/** Reasons that are told. */
const NAMED = 10;

/**
 * Compares a new module with what its canister runs, before any canister of the deploy is changed. What would lose data
 * is refused; what callers of today would notice is only told, since a deploy may well bring new callers along.
 * @throws BuildError that names the variables which the upgrade would lose
 */
export async function checkUpgrade(
  { ctx, say }: Publication,
  { name, canisterId, wasm }: { name: string; canisterId: string; wasm: Uint8Array },
): Promise<void> {
  const installed = await ctx.ic.moduleHash(canisterId);
  if (installed === null) return;
  const { candid, stable_memory: data } = await compareWithInstalled(ctx, canisterId, await unpackWasm(wasm));
  if (data.verdict === 'breaking') {
    throw new BuildError(
      `Nothing was changed, since the upgrade of ${name} would lose data: ${data.reasons.slice(0, NAMED).join(' ')} ` +
        'Keep the types of its variables compatible, or reinstall the canister on its page if its data may go.',
    );
  }
  if (candid.verdict !== 'breaking') return;
  say(`Warning: callers of ${name} that expect its interface of today may fail:`);
  for (const reason of candid.reasons.slice(0, NAMED)) say(`  ${reason}`);
}
