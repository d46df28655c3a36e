import { IDL } from '@icp-sdk/core/candid';
import type { Principal } from '@icp-sdk/core/principal';
import { worded } from '../replies/ic-errors.ts';
import { readSmall } from '../replies/read-reply.ts';
import { settingsArg } from './settings-idl.ts';

/** The parts of the management canister's interface (ic.did, interface specification 0.66) that the server uses. */

const canisterId = IDL.Record({ canister_id: IDL.Principal });
const variables = IDL.Vec(IDL.Record({ name: IDL.Text, value: IDL.Text }));
/** A record type with fewer optional fields than the receiver's is a subtype of it, so only what is sent is listed. */
const firstSettings = IDL.Record({ environment_variables: IDL.Opt(variables) });

const mode = IDL.Variant({
  install: IDL.Null,
  reinstall: IDL.Null,
  upgrade: IDL.Opt(
    IDL.Record({
      skip_pre_upgrade: IDL.Opt(IDL.Bool),
      wasm_memory_persistence: IDL.Opt(IDL.Variant({ keep: IDL.Null, replace: IDL.Null })),
    }),
  ),
});

const snapshotName = IDL.Record({ canister_id: IDL.Principal, snapshot_id: IDL.Vec(IDL.Nat8) });
const indexRange = IDL.Record({ start: IDL.Nat64, end: IDL.Nat64 });
const chunk = IDL.Record({ hash: IDL.Vec(IDL.Nat8) });

const managementArgs = {
  provisional_create_canister_with_cycles: [
    IDL.Record({ amount: IDL.Opt(IDL.Nat), settings: IDL.Opt(firstSettings) }),
  ],
  provisional_top_up_canister: [IDL.Record({ canister_id: IDL.Principal, amount: IDL.Nat })],
  update_settings: [IDL.Record({ canister_id: IDL.Principal, settings: settingsArg })],
  canister_status: [canisterId],
  start_canister: [canisterId],
  stop_canister: [canisterId],
  delete_canister: [canisterId],
  clear_chunk_store: [canisterId],
  upload_chunk: [IDL.Record({ canister_id: IDL.Principal, chunk: IDL.Vec(IDL.Nat8) })],
  install_code: [
    IDL.Record({
      mode,
      canister_id: IDL.Principal,
      wasm_module: IDL.Vec(IDL.Nat8),
      arg: IDL.Vec(IDL.Nat8),
    }),
  ],
  install_chunked_code: [
    IDL.Record({
      mode,
      target_canister: IDL.Principal,
      chunk_hashes_list: IDL.Vec(chunk),
      wasm_module_hash: IDL.Vec(IDL.Nat8),
      arg: IDL.Vec(IDL.Nat8),
    }),
  ],
  list_canister_snapshots: [canisterId],
  take_canister_snapshot: [
    IDL.Record({ canister_id: IDL.Principal, replace_snapshot: IDL.Opt(IDL.Vec(IDL.Nat8)) }),
  ],
  load_canister_snapshot: [snapshotName],
  delete_canister_snapshot: [snapshotName],
  /** Networks that know no filter answer every record they keep. */
  fetch_canister_logs: [
    IDL.Record({
      canister_id: IDL.Principal,
      filter: IDL.Opt(IDL.Variant({ by_idx: indexRange })),
    }),
  ],
} as const;

export type ManagementMethod = keyof typeof managementArgs;

const createReply = canisterId;

/** Candid-encodes the argument of a management method. */
export function encodeArg(method: ManagementMethod, value: unknown): Uint8Array {
  return IDL.encode([...managementArgs[method]], [value]);
}

export function decodeCreateReply(reply: Uint8Array): string {
  return worded(() => readSmall<{ canister_id: Principal }>(createReply, reply)).canister_id.toText();
}
