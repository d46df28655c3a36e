import { canisterInfo, canisterMetadata } from './canisters/canister-info.ts';
import { canisterMetrics, canisterStatus, fetchCanisterLogs } from './canisters/canister-status.ts';
import {
  clearChunkStore,
  installChunkedCode,
  installCode,
  storedChunks,
  uploadChunk,
} from './canisters/install-code.ts';
import { createCanister, provisionalCreateCanister } from './canisters/create-canister.ts';
import { depositCycles, provisionalTopUpCanister } from './canisters/cycles.ts';
import { ecdsaPublicKey, schnorrPublicKey, signWithEcdsa, signWithSchnorr } from './keys/signing.ts';
import { httpRequest } from './outcalls/http-request.ts';
import { deleteCanister, startCanister, stopCanister, uninstallCode } from './canisters/lifecycle.ts';
import {
  deleteCanisterSnapshot,
  listCanisterSnapshots,
  takeCanisterSnapshot,
} from './snapshots/snapshots.ts';
import { loadCanisterSnapshot } from './snapshots/load-snapshot.ts';
import type { ManagementMethod } from './method/method.ts';
import {
  BITCOIN_METHODS,
  listCanisters,
  nodeMetricsHistory,
  rawRand,
  subnetInfo,
} from './canisters/subnet-info.ts';
import { readCanisterSnapshotData, uploadCanisterSnapshotData } from './snapshots/snapshot-data.ts';
import {
  readCanisterSnapshotMetadata,
  uploadCanisterSnapshotMetadata,
} from './snapshots/snapshot-metadata.ts';
import { updateSettings } from './canisters/update-settings.ts';
import { vetkdDeriveKey, vetkdPublicKey } from './keys/vetkd.ts';

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
