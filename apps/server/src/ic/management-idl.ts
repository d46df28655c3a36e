import { IDL } from '@icp-sdk/core/candid';
import type { Principal } from '@icp-sdk/core/principal';

/** The parts of the management canister's interface (ic.did, interface specification 0.66) that the server uses. */

const canisterId = IDL.Record({ canister_id: IDL.Principal });
const variables = IDL.Vec(IDL.Record({ name: IDL.Text, value: IDL.Text }));
/** A record type with fewer optional fields than the receiver's is a subtype of it, so only what is sent is listed. */
const settings = IDL.Record({ environment_variables: IDL.Opt(variables) });

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

const chunk = IDL.Record({ hash: IDL.Vec(IDL.Nat8) });

export const managementArgs = {
  provisional_create_canister_with_cycles: [
    IDL.Record({ amount: IDL.Opt(IDL.Nat), settings: IDL.Opt(settings) }),
  ],
  provisional_top_up_canister: [IDL.Record({ canister_id: IDL.Principal, amount: IDL.Nat })],
  update_settings: [IDL.Record({ canister_id: IDL.Principal, settings })],
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
} as const;

export type ManagementMethod = keyof typeof managementArgs;

const createReply = canisterId;
const statusReply = IDL.Record({
  status: IDL.Variant({ running: IDL.Null, stopping: IDL.Null, stopped: IDL.Null }),
  module_hash: IDL.Opt(IDL.Vec(IDL.Nat8)),
  cycles: IDL.Nat,
});

/** Candid-encodes the argument of a management method. */
export function encodeArg(method: ManagementMethod, value: unknown): Uint8Array {
  return IDL.encode([...managementArgs[method]], [value]);
}

export function decodeCreateReply(reply: Uint8Array): string {
  const [{ canister_id }] = IDL.decode([createReply], reply) as unknown as [{ canister_id: Principal }];
  return canister_id.toText();
}

export function decodeStatusReply(reply: Uint8Array): {
  status: 'running' | 'stopping' | 'stopped';
  moduleHash: Uint8Array | undefined;
  cycles: bigint;
} {
  const [decoded] = IDL.decode([statusReply], reply) as unknown as [
    { status: Record<string, null>; module_hash: [] | [Uint8Array]; cycles: bigint },
  ];
  const status =
    'running' in decoded.status ? 'running' : 'stopped' in decoded.status ? 'stopped' : 'stopping';
  return { status, moduleHash: decoded.module_hash[0], cycles: decoded.cycles };
}
