import type { CanisterLeaves } from '@cannery/ic/state-leaves';
import type { Canister } from './canister.ts';

/** What the state tree holds of a canister; `metadata`: also its custom sections. */
export function leavesOf(canister: Canister, metadata: boolean): CanisterLeaves {
  const { record } = canister;
  return {
    canisterId: record.id,
    controllers: record.controllers,
    ...(record.code && {
      moduleHash: record.code.moduleHash,
      installedAtNanos: record.code.installedAtNanos,
    }),
    certifiedData: record.certifiedData,
    createdAtNanos: record.createdAtNanos,
    ...(metadata && { metadata: canister.metadata }),
  };
}
