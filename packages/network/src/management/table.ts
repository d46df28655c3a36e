import { canisterInfo, canisterMetadata } from './canister-info.ts';
import { fetchCanisterLogs } from './canister-logs.ts';
import { canisterStatus } from './canister-status.ts';
import { clearChunkStore, storedChunks, uploadChunk } from './chunk-store.ts';
import { createCanister, provisionalCreateCanister } from './create-canister.ts';
import { depositCycles, provisionalTopUpCanister } from './cycles.ts';
import { installChunkedCode, installCode } from './install-code.ts';
import { deleteCanister, startCanister, stopCanister } from './lifecycle.ts';
import type { ManagementMethod } from './method.ts';
import { rawRand } from './raw-rand.ts';
import { uninstallCode } from './uninstall-code.ts';
import { updateSettings } from './update-settings.ts';

/** Every method of the management canister. */
export const MANAGEMENT_METHODS: ReadonlyMap<string, ManagementMethod> = new Map(
  [
    createCanister,
    provisionalCreateCanister,
    provisionalTopUpCanister,
    depositCycles,
    installCode,
    installChunkedCode,
    uninstallCode,
    uploadChunk,
    storedChunks,
    clearChunkStore,
    startCanister,
    stopCanister,
    deleteCanister,
    updateSettings,
    canisterStatus,
    canisterInfo,
    canisterMetadata,
    fetchCanisterLogs,
    rawRand,
  ].map((method) => [method.name, method]),
);
