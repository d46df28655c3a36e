import { CandidError, checkEncoded } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { AppError } from '../errors.ts';
import type { IcClient } from './ic-client.ts';

/** The methods of the asset canister that an upload takes, and their types (assets.did). */
const HeaderField = IDL.Tuple(IDL.Text, IDL.Text);

const ListedAsset = IDL.Record({
  key: IDL.Text,
  content_type: IDL.Text,
  encodings: IDL.Vec(IDL.Record({ content_encoding: IDL.Text, sha256: IDL.Opt(IDL.Vec(IDL.Nat8)) })),
  max_age: IDL.Opt(IDL.Nat64),
  headers: IDL.Opt(IDL.Vec(HeaderField)),
  is_aliased: IDL.Opt(IDL.Bool),
  allow_raw_access: IDL.Opt(IDL.Bool),
});

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
});

export type Header = [name: string, value: string];
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
  | { readonly DeleteAsset: { readonly key: string } };

/** An asset that the canister has. */
export interface PresentAsset {
  readonly contentType: string;
  readonly maxAge: bigint | undefined;
  readonly headers: readonly Header[];
  readonly isAliased: boolean | undefined;
  readonly allowRawAccess: boolean | undefined;
  /** Content encoding to SHA-256 (hex). */
  readonly hashes: ReadonlyMap<string, string>;
}

interface Listed {
  readonly key: string;
  readonly content_type: string;
  readonly encodings: readonly { readonly content_encoding: string; readonly sha256: Optional<Uint8Array> }[];
  readonly max_age: Optional<bigint>;
  readonly headers: Optional<Header[]>;
  readonly is_aliased: Optional<boolean>;
  readonly allow_raw_access: Optional<boolean>;
}

/** An asset canister seen by its uploader. Errors are those of the client it is spoken to through. */
export interface AssetCanister {
  /** Everything it has, by key. */
  list(): Promise<Map<string, PresentAsset>>;
  createBatch(): Promise<bigint>;
  /** The ids of the chunks, in order. */
  createChunks(batch: bigint, contents: readonly Uint8Array[]): Promise<bigint[]>;
  commit(batch: bigint, operations: readonly Operation[]): Promise<void>;
  deleteBatch(batch: bigint): Promise<void>;
}

function encode(types: IDL.Type[], values: unknown[]): Uint8Array {
  return new Uint8Array(IDL.encode(types, values));
}

/** Its owner may have put any code into the canister, so its answer is held against the type before it is decoded. */
function decode<T>(type: IDL.Type, reply: Uint8Array): T {
  try {
    checkEncoded(reply, [type]);
  } catch (error) {
    if (!(error instanceof CandidError)) throw error;
    throw new AppError('network_rejected', 'The canister does not answer as an asset canister does.', {
      detail: error.message,
      cause: error,
    });
  }
  // A copy: the decoder reads the whole buffer behind the view it is given.
  return IDL.decode([type], Uint8Array.from(reply))[0] as T;
}

export function assetCanister(client: Pick<IcClient, 'call' | 'query'>, canisterId: string): AssetCanister {
  const ListArgument = IDL.Record({ start: IDL.Opt(IDL.Nat), length: IDL.Opt(IDL.Nat) });
  return {
    async list() {
      const present = new Map<string, PresentAsset>();
      while (true) {
        const start = BigInt(present.size);
        const reply = await client.query(
          canisterId,
          'list',
          encode([ListArgument], [{ start: [start], length: [] }]),
        );
        const page = decode<Listed[]>(IDL.Vec(ListedAsset), reply);
        for (const listed of page) present.set(listed.key, presentAsset(listed));
        // An older asset canister ignores `start` and repeats itself: then nothing was new.
        if (BigInt(present.size) === start) return present;
      }
    },
    async createBatch() {
      const reply = await client.call(canisterId, 'create_batch', encode([IDL.Record({})], [{}]));
      return decode<{ batch_id: bigint }>(IDL.Record({ batch_id: IDL.Nat }), reply).batch_id;
    },
    async createChunks(batch, contents) {
      const type = IDL.Record({ batch_id: IDL.Nat, content: IDL.Vec(IDL.Vec(IDL.Nat8)) });
      const reply = await client.call(
        canisterId,
        'create_chunks',
        encode([type], [{ batch_id: batch, content: contents }]),
      );
      return decode<{ chunk_ids: bigint[] }>(IDL.Record({ chunk_ids: IDL.Vec(IDL.Nat) }), reply).chunk_ids;
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

function presentAsset(listed: Listed): PresentAsset {
  const hashes = listed.encodings.map(
    ({ content_encoding, sha256: [hash] }) =>
      [content_encoding, hash === undefined ? '' : Buffer.from(hash).toString('hex')] as const,
  );
  return {
    contentType: listed.content_type,
    maxAge: listed.max_age[0],
    headers: listed.headers[0] ?? [],
    isAliased: listed.is_aliased[0],
    allowRawAccess: listed.allow_raw_access[0],
    hashes: new Map(hashes),
  };
}
