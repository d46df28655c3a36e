import { checkEncoded } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';

/**
 * The values of a reply. Whoever wrote the canister chose its bytes, and a few of them can stand for billions of
 * values, so they are held against the types before anything is decoded.
 * @throws CandidError when the reply does not fit the types, or is of more values than a page can hold
 */
export function decodeReply(types: readonly IDL.Type[], bytes: Uint8Array): unknown[] {
  checkEncoded(bytes, types);
  return IDL.decode([...types], bytes);
}

/** The values of a reply, and how many there are in all. @throws as `decodeReply` */
export function readReply(
  types: readonly IDL.Type[],
  bytes: Uint8Array,
): { readonly values: readonly unknown[]; readonly count: number } {
  const count = checkEncoded(bytes, types);
  return { values: IDL.decode([...types], bytes), count };
}
