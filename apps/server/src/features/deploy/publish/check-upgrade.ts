import { BuildError } from '../../../builders/build-error.ts';
import { compareWithInstalled } from '../../canister/code/inspect-module.ts';
import { unpackWasm } from '../../canister/code/unpack-wasm.ts';
import type { Publication } from './publish-site.ts';

/** Reasons that are told. */
const NAMED = 10;

/** A canister whose callers may fail, with the reasons. */
export interface BrokenInterface {
  readonly name: string;
  readonly reasons: readonly string[];
}

/** The run would break callers of canisters, and its deploy does not publish such a change unasked. */
export class BrokenInterfaceError extends BuildError {
  constructor(broken: readonly BrokenInterface[]) {
    const told = broken.map(({ name, reasons }) => `Callers of ${name}: ${reasons.join(' ')}`);
    super(`Nothing was changed, since callers that expect the current interface may fail. ${told.join(' ')}`);
  }
}

/**
 * Compares a new module with what its canister runs, before any canister of the deploy is changed. What would lose data
 * is refused; what callers of today would notice is answered, since a deploy may well bring new callers along.
 * @returns null when callers notice nothing, or when an interface cannot be read
 * @throws BuildError that names the variables which the upgrade would lose
 */
export async function checkUpgrade(
  { ctx }: Publication,
  { name, canisterId, wasm }: { name: string; canisterId: string; wasm: Uint8Array },
): Promise<BrokenInterface | null> {
  const installed = await ctx.ic.moduleHash(canisterId);
  if (installed === null) return null;
  const { candid, stable_memory: data } = await compareWithInstalled(ctx, canisterId, await unpackWasm(wasm));
  if (data.verdict === 'breaking') {
    throw new BuildError(
      `Nothing was changed, since the upgrade of ${name} would lose data: ${data.reasons.slice(0, NAMED).join(' ')} ` +
        'Keep the types of its variables compatible, or reinstall the canister on its page if its data may be lost.',
    );
  }
  return candid.verdict === 'breaking' ? { name, reasons: candid.reasons.slice(0, NAMED) } : null;
}
