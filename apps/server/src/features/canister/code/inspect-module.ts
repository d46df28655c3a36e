import type { ModuleInspection } from '@cannery/contract';
import { CandidError } from '@cannery/candid';
import { onCandid } from '../../../candid/candid-thread.ts';
import { compareCandid, compareData } from '../../../candid/compare-modules.ts';
import type { AppContext } from '../../../context.ts';
import type { Actor } from '../../../http/actor.ts';
import { uploadedModule } from './install-code.ts';
import { findCanister } from '../core/store.ts';
import { isGzip, unpackWasm } from './unpack-wasm.ts';
import { KEEPS_MEMORY } from '../../document/wasm-module.ts';
import { exportedFunctions, metadataNames, metadataSection } from './wasm-sections.ts';

const SERVICE = 'candid:service';
const STABLE_TYPES = 'motoko:stable-types';
const names = { before: 'the installed code', after: 'the new code' };

/**
 * Looks into an uploaded module and compares it with what a canister of the user runs; changes nothing.
 * @throws AppError not_found, or payload_too_large and invalid_wasm for packed modules that cannot be unpacked
 */
export async function inspectModule(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string; identifier: string },
): Promise<ModuleInspection> {
  const { id } = await findCanister(ctx.db, user.id, input.canisterId);
  // A document is named by the SHA-256 of its bytes, as a module is on the network.
  const { identifier } = input;
  const packed = await uploadedModule(ctx, user, identifier);
  const wasm = await unpackWasm(packed);
  const installedHash = await ctx.ic.moduleHash(id);
  return {
    module_hash: identifier,
    size: packed.length,
    unpacked_size: wasm.length,
    gzip: isGzip(packed),
    methods: methodsOf(wasm),
    candid: textOf(metadataSection(wasm, SERVICE)),
    init_args: await initArgsOf(wasm),
    metadata: metadataNames(wasm),
    keeps_memory: metadataSection(wasm, KEEPS_MEMORY) !== undefined,
    already_installed: identifier === installedHash,
    upgrade: installedHash === null ? null : await compareWithInstalled(ctx, id, wasm),
  };
}

/** Methods by the names of their functions (interface specification, "WebAssembly module requirements"). */
function methodsOf(wasm: Uint8Array): ModuleInspection['methods'] {
  const names = exportedFunctions(wasm);
  const after = (prefix: string): string[] =>
    names
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length))
      .toSorted();
  return {
    updates: after('canister_update '),
    queries: after('canister_query '),
    composite_queries: after('canister_composite_query '),
  };
}

async function initArgsOf(wasm: Uint8Array): Promise<string | null> {
  for (const name of ['candid:args', SERVICE]) {
    const text = textOf(metadataSection(wasm, name));
    if (text === null) continue;
    try {
      return (
        (await onCandid('initService', text, textOf(metadataSection(wasm, SERVICE)) ?? undefined)) ?? null
      );
    } catch (error) {
      if (!(error instanceof CandidError)) throw error;
      return null;
    }
  }
  return null;
}

/**
 * Compares new code with what a canister runs: whether callers get along with it, and whether it keeps the data.
 * @param wasm the new module, unpacked
 */
export async function compareWithInstalled(
  ctx: AppContext,
  canisterId: string,
  wasm: Uint8Array,
): Promise<NonNullable<ModuleInspection['upgrade']>> {
  const [service, stableTypes, keepsMemory] = await Promise.all(
    [SERVICE, STABLE_TYPES, KEEPS_MEMORY].map((name) => ctx.ic.metadata(canisterId, name)),
  );
  const keepsAfter = metadataSection(wasm, KEEPS_MEMORY) !== undefined;
  return {
    candid: await compareCandid({
      before: textOf(service),
      after: textOf(metadataSection(wasm, SERVICE)),
      names,
    }),
    stable_memory: await compareData({
      before: textOf(stableTypes),
      after: textOf(metadataSection(wasm, STABLE_TYPES)),
      keepsMemory: { before: keepsMemory !== undefined, after: keepsAfter },
      names,
    }),
  };
}

function textOf(bytes: Uint8Array | undefined): string | null {
  return bytes === undefined ? null : Buffer.from(bytes).toString('utf8');
}
