import { CandidError } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';

export type Header = [name: string, value: string];
type Optional<T> = [] | [T];

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

export const HeaderField = IDL.Tuple(IDL.Text, IDL.Text);

/** An element of what `list` answers (assets.did). */
export const ListedAsset = IDL.Record({
  key: IDL.Text,
  content_type: IDL.Text,
  encodings: IDL.Vec(IDL.Record({ content_encoding: IDL.Text, sha256: IDL.Opt(IDL.Vec(IDL.Nat8)) })),
  max_age: IDL.Opt(IDL.Nat64),
  headers: IDL.Opt(IDL.Vec(HeaderField)),
  is_aliased: IDL.Opt(IDL.Bool),
  allow_raw_access: IDL.Opt(IDL.Bool),
});

/** The same, decoded. */
export interface Listed {
  readonly key: string;
  readonly content_type: string;
  readonly encodings: readonly { readonly content_encoding: string; readonly sha256: Optional<Uint8Array> }[];
  readonly max_age: Optional<bigint>;
  readonly headers: Optional<Header[]>;
  readonly is_aliased: Optional<boolean>;
  readonly allow_raw_access: Optional<boolean>;
}

/** Encodings, and headers, of one asset: some times as many as any of ours has. */
const MOST_PARTS = 100;
/** Bytes of a SHA-256. */
const HASH_BYTES = 32;

/** An asset by its key. @throws CandidError for one with more parts than an asset has */
export function presentAsset(listed: Listed): [key: string, asset: PresentAsset] {
  const [headers = []] = listed.headers;
  if (headers.length > MOST_PARTS || listed.encodings.length > MOST_PARTS)
    throw new CandidError(`an asset has more than ${MOST_PARTS} headers or encodings`);
  const hashes = listed.encodings.map(
    ({ content_encoding, sha256: [hash = new Uint8Array()] }) =>
      [content_encoding, Buffer.from(hash.subarray(0, HASH_BYTES)).toString('hex')] as const,
  );
  const asset = {
    contentType: listed.content_type,
    maxAge: listed.max_age[0],
    headers,
    isAliased: listed.is_aliased[0],
    allowRawAccess: listed.allow_raw_access[0],
    hashes: new Map(hashes),
  };
  return [listed.key, asset];
}
