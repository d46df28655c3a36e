import { IDL } from '@icp-sdk/core/candid';
import type { Principal } from '@icp-sdk/core/principal';
import type { HttpHeader } from '../../state/outcall.ts';
import type { Maybe } from './candid-types.ts';

/** Argument and result types of the methods that reach beyond the subnet's canisters, as in `ic.did` 0.66. */

const { Nat, Nat32, Nat64, Null, Text, Bool, Opt, Principal: Id } = IDL;
const Blob = IDL.Vec(IDL.Nat8);

const Header = IDL.Record({ name: Text, value: Text });
export const HttpRequestResult = IDL.Record({ status: Nat, headers: IDL.Vec(Header), body: Blob });
export interface HttpResponse {
  status: bigint;
  headers: HttpHeader[];
  body: Uint8Array;
}
/** Argument of a transform function. */
export const TransformArg = IDL.Record({ response: HttpRequestResult, context: Blob });

export const HttpRequestArg = IDL.Record({
  url: Text,
  max_response_bytes: Opt(Nat64),
  method: IDL.Variant({ get: Null, head: Null, post: Null, put: Null, delete: Null, patch: Null }),
  headers: IDL.Vec(Header),
  body: Opt(Blob),
  transform: Opt(
    IDL.Record({ function: IDL.Func([TransformArg], [HttpRequestResult], ['query']), context: Blob }),
  ),
  is_replicated: Opt(Bool),
});
export interface HttpRequest {
  url: string;
  max_response_bytes: Maybe<bigint>;
  method: Partial<Record<'get' | 'head' | 'post' | 'put' | 'delete' | 'patch', null>>;
  headers: HttpHeader[];
  body: Maybe<Uint8Array>;
  transform: Maybe<{ function: [Principal, string]; context: Uint8Array }>;
  is_replicated: Maybe<boolean>;
}

export const SubnetInfoArg = IDL.Record({ subnet_id: Id });
export interface SubnetInfo {
  subnet_id: Principal;
}
export const SubnetInfoResult = IDL.Record({ replica_version: Text, registry_version: Nat64 });

export const NodeMetricsHistoryArg = IDL.Record({ subnet_id: Id, start_at_timestamp_nanos: Nat64 });
export interface NodeMetricsHistory {
  subnet_id: Principal;
  start_at_timestamp_nanos: bigint;
}
export const NodeMetricsHistoryResult = IDL.Vec(
  IDL.Record({
    timestamp_nanos: Nat64,
    node_metrics: IDL.Vec(
      IDL.Record({ node_id: Id, num_blocks_proposed_total: Nat64, num_block_failures_total: Nat64 }),
    ),
  }),
);

export const ListCanistersResult = IDL.Record({
  canisters: IDL.Vec(IDL.Record({ start: Id, end: Id })),
});

const Network = IDL.Variant({ mainnet: Null, testnet: Null });

/** Types of the Bitcoin methods by name. */
export const BITCOIN_TYPES: Readonly<Record<string, { readonly arg: IDL.Type; readonly result?: IDL.Type }>> =
  {
    bitcoin_get_balance: {
      arg: IDL.Record({ address: Text, network: Network, min_confirmations: Opt(Nat32) }),
      result: Nat64,
    },
    bitcoin_get_utxos: {
      arg: IDL.Record({
        address: Text,
        network: Network,
        filter: Opt(IDL.Variant({ min_confirmations: Nat32, page: Blob })),
      }),
      result: IDL.Record({
        utxos: IDL.Vec(
          IDL.Record({
            outpoint: IDL.Record({ txid: Blob, vout: Nat32 }),
            value: Nat64,
            height: Nat32,
          }),
        ),
        tip_block_hash: Blob,
        tip_height: Nat32,
        next_page: Opt(Blob),
      }),
    },
    bitcoin_send_transaction: { arg: IDL.Record({ transaction: Blob, network: Network }) },
    bitcoin_get_current_fee_percentiles: {
      arg: IDL.Record({ network: Network }),
      result: IDL.Vec(Nat64),
    },
    bitcoin_get_block_headers: {
      arg: IDL.Record({ start_height: Nat32, end_height: Opt(Nat32), network: Network }),
      result: IDL.Record({ tip_height: Nat32, block_headers: IDL.Vec(Blob) }),
    },
  };
