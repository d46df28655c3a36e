import { IDL } from '@icp-sdk/core/candid';
import type { IcClient } from '../ic-client.ts';
import { asAssetCanister, listAssets, type ListLimits } from './list-assets.ts';
import { type RedirectRule, SetRedirectRules } from './redirect-rules.ts';
import { type Header, HeaderField, type PresentAsset } from '../replies/listed-asset.ts';
import { readSmall } from '../replies/read-reply.ts';

/** The methods of the asset canister that an upload takes, and their types (assets.did). */
const SetAssetProperties = IDL.Record({
  key: IDL.Text,
  max_age: IDL.Opt(IDL.Opt(IDL.Nat64)),
  headers: IDL.Opt(IDL.Opt(IDL.Vec(HeaderField))),
  is_aliased: IDL.Opt(IDL.Opt(IDL.Bool)),
  allow_raw_access: IDL.Opt(IDL.Opt(IDL.Bool)),
});

const Operation = IDL.Variant({
  CreateAsset: IDL.Record({
    key: IDL.Text,
    content_type: IDL.Text,
    max_age: IDL.Opt(IDL.Nat64),
    headers: IDL.Opt(IDL.Vec(HeaderField)),
    enable_aliasing: IDL.Opt(IDL.Bool),
    allow_raw_access: IDL.Opt(IDL.Bool),
  }),
  SetAssetContent: IDL.Record({
    key: IDL.Text,
    content_encoding: IDL.Text,
    chunk_ids: IDL.Vec(IDL.Nat),
    sha256: IDL.Opt(IDL.Vec(IDL.Nat8)),
  }),
  UnsetAssetContent: IDL.Record({ key: IDL.Text, content_encoding: IDL.Text }),
  SetAssetProperties,
  DeleteAsset: IDL.Record({ key: IDL.Text }),
  SetRedirectRules,
});

type Optional<T> = [] | [T];

/** One step of a commit, as the canister's Candid has it. */
export type Operation =
  | {
      readonly CreateAsset: {
        readonly key: string;
        readonly content_type: string;
        readonly max_age: Optional<bigint>;
        readonly headers: Optional<Header[]>;
        readonly enable_aliasing: Optional<boolean>;
        readonly allow_raw_access: Optional<boolean>;
      };
    }
  | {
      readonly SetAssetContent: {
        readonly key: string;
        readonly content_encoding: string;
        readonly chunk_ids: bigint[];
        readonly sha256: Optional<Uint8Array>;
      };
    }
  | { readonly UnsetAssetContent: { readonly key: string; readonly content_encoding: string } }
  | {
      readonly SetAssetProperties: {
        readonly key: string;
        readonly max_age: Optional<Optional<bigint>>;
        readonly headers: Optional<Optional<Header[]>>;
        readonly is_aliased: Optional<Optional<boolean>>;
        readonly allow_raw_access: Optional<Optional<boolean>>;
      };
    }
  | { readonly DeleteAsset: { readonly key: string } }
  | { readonly SetRedirectRules: { readonly rules: readonly RedirectRule[] } };

/** An asset canister seen by its uploader. Errors are those of the client it is spoken to through. */
export interface AssetCanister {
  /** The hash of its redirect rules, hex (redirect-rules.ts); undefined without any. */
  redirectRulesHash(): Promise<string | undefined>;
  /** Everything it has, by key. @throws AppError network_rejected beyond the limits, the reason of `signal` */
  list(signal?: AbortSignal): Promise<Map<string, PresentAsset>>;
  createBatch(): Promise<bigint>;
  /** The ids of the chunks, in order. */
  createChunks(batch: bigint, contents: readonly Uint8Array[]): Promise<bigint[]>;
  commit(batch: bigint, operations: readonly Operation[]): Promise<void>;
  deleteBatch(batch: bigint): Promise<void>;
}

function encode(types: IDL.Type[], values: unknown[]): Uint8Array {
  return new Uint8Array(IDL.encode(types, values));
}

/** @throws AppError network_rejected when the reply is of another type */
function decode<T>(type: IDL.Type, reply: Uint8Array): Promise<T> {
  return asAssetCanister(() => readSmall<T>(type, reply));
}

/** @param limits of what it lists */
export function assetCanister(
  client: Pick<IcClient, 'call' | 'query'>,
  canisterId: string,
  limits: ListLimits,
): AssetCanister {
  return {
    list: (signal) => listAssets(client, { canisterId, limits, signal }),
    async redirectRulesHash() {
      const type = IDL.Opt(IDL.Vec(IDL.Nat8));
      const reply = await client.query(canisterId, 'redirect_rules_hash', encode([], []));
      const [hash] = await decode<[] | [Uint8Array]>(type, reply);
      return hash === undefined ? undefined : Buffer.from(hash).toString('hex');
    },
    async createBatch() {
      const reply = await client.call(canisterId, 'create_batch', encode([IDL.Record({})], [{}]));
      return (await decode<{ batch_id: bigint }>(IDL.Record({ batch_id: IDL.Nat }), reply)).batch_id;
    },
    async createChunks(batch, contents) {
      const type = IDL.Record({ batch_id: IDL.Nat, content: IDL.Vec(IDL.Vec(IDL.Nat8)) });
      const reply = await client.call(
        canisterId,
        'create_chunks',
        encode([type], [{ batch_id: batch, content: contents }]),
      );
      const ids = await decode<{ chunk_ids: bigint[] }>(IDL.Record({ chunk_ids: IDL.Vec(IDL.Nat) }), reply);
      return ids.chunk_ids;
    },
    async commit(batch, operations) {
      const type = IDL.Record({ batch_id: IDL.Nat, operations: IDL.Vec(Operation) });
      await client.call(canisterId, 'commit_batch', encode([type], [{ batch_id: batch, operations }]));
    },
    async deleteBatch(batch) {
      const argument = encode([IDL.Record({ batch_id: IDL.Nat })], [{ batch_id: batch }]);
      await client.call(canisterId, 'delete_batch', argument);
    },
  };
}
