import { canisterInfo, canisterMetadata } from './canister-info.ts';
import { fetchCanisterLogs } from './canister-logs.ts';
import { canisterMetrics } from './canister-metrics.ts';
import { canisterStatus } from './canister-status.ts';
import { clearChunkStore, storedChunks, uploadChunk } from './chunk-store.ts';
import { createCanister, provisionalCreateCanister } from './create-canister.ts';
import { depositCycles, provisionalTopUpCanister } from './cycles.ts';
import { ecdsaPublicKey, signWithEcdsa } from './ecdsa.ts';
import { httpRequest } from './http-request.ts';
import { installChunkedCode, installCode } from './install-code.ts';
import { deleteCanister, startCanister, stopCanister } from './lifecycle.ts';
import { deleteCanisterSnapshot, listCanisterSnapshots } from './list-snapshots.ts';
import { loadCanisterSnapshot } from './load-snapshot.ts';
import type { ManagementMethod } from './method.ts';
import { rawRand } from './raw-rand.ts';
import { schnorrPublicKey, signWithSchnorr } from './schnorr.ts';
import { readCanisterSnapshotData } from './snapshot-data.ts';
import { readCanisterSnapshotMetadata, uploadCanisterSnapshotMetadata } from './snapshot-metadata.ts';
import { uploadCanisterSnapshotData } from './snapshot-upload.ts';
import { nodeMetricsHistory, subnetInfo } from './subnet-info.ts';
import { takeCanisterSnapshot } from './take-snapshot.ts';
import { BITCOIN_METHODS, listCanisters } from './unavailable.ts';
import { uninstallCode } from './uninstall-code.ts';
import { updateSettings } from './update-settings.ts';
import { vetkdDeriveKey, vetkdPublicKey } from './vetkd.ts';

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
    canisterMetrics,
    canisterInfo,
    canisterMetadata,
    fetchCanisterLogs,
    rawRand,
    httpRequest,
    ecdsaPublicKey,
    signWithEcdsa,
    schnorrPublicKey,
    signWithSchnorr,
    vetkdPublicKey,
    vetkdDeriveKey,
    takeCanisterSnapshot,
    loadCanisterSnapshot,
    listCanisterSnapshots,
    deleteCanisterSnapshot,
    readCanisterSnapshotMetadata,
    readCanisterSnapshotData,
    uploadCanisterSnapshotMetadata,
    uploadCanisterSnapshotData,
    subnetInfo,
    nodeMetricsHistory,
    listCanisters,
    ...BITCOIN_METHODS,
  ].map((method) => [method.name, method]),
);
