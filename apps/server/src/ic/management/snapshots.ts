import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { worded } from '../replies/ic-errors.ts';
import type { ManagementCall } from './install-code.ts';
import { readSmall } from '../replies/read-reply.ts';

/** A snapshot of a canister as the network lists it. */
export interface NetworkSnapshot {
  /** Hex. */
  readonly id: string;
  readonly takenAtNanos: bigint;
  /** Bytes. */
  readonly totalSize: bigint;
}

/** Snapshots of canisters; failures are AppErrors in the network's words. */
export interface Snapshots {
  list(canisterId: string): Promise<NetworkSnapshot[]>;
  /** @param options.replace id (hex) of a snapshot that goes for it */
  take(canisterId: string, options?: { replace?: string }): Promise<NetworkSnapshot>;
  delete(canisterId: string, snapshotId: string): Promise<void>;
}

/** `snapshot` of ic.did, interface specification 0.66. */
const snapshot = IDL.Record({
  id: IDL.Vec(IDL.Nat8),
  taken_at_timestamp: IDL.Nat64,
  total_size: IDL.Nat64,
});

interface DecodedSnapshot {
  readonly id: Uint8Array;
  readonly taken_at_timestamp: bigint;
  readonly total_size: bigint;
}

function snapshotOf({ id, taken_at_timestamp, total_size }: DecodedSnapshot): NetworkSnapshot {
  return { id: Buffer.from(id).toString('hex'), takenAtNanos: taken_at_timestamp, totalSize: total_size };
}

const bytesOf = (id: string): Uint8Array => Buffer.from(id, 'hex');

/** Names a snapshot (hex) in a call of the management canister. */
export function snapshotName(canisterId: string, snapshotId: string): object {
  return { canister_id: Principal.fromText(canisterId), snapshot_id: bytesOf(snapshotId) };
}

/** The snapshot methods of the management canister over `call`. */
export function snapshotsOver(call: ManagementCall): Snapshots {
  return {
    async list(canisterId) {
      const value = { canister_id: Principal.fromText(canisterId) };
      const reply = await call('list_canister_snapshots', value, canisterId);
      return worded(() => readSmall<DecodedSnapshot[]>(IDL.Vec(snapshot), reply)).map(snapshotOf);
    },
    async take(canisterId, { replace } = {}) {
      const value = {
        canister_id: Principal.fromText(canisterId),
        replace_snapshot: replace === undefined ? [] : [bytesOf(replace)],
      };
      const reply = await call('take_canister_snapshot', value, canisterId);
      return snapshotOf(worded(() => readSmall<DecodedSnapshot>(snapshot, reply)));
    },
    async delete(canisterId, snapshotId) {
      await call('delete_canister_snapshot', snapshotName(canisterId, snapshotId), canisterId);
    },
  };
}
