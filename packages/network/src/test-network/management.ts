import { type IcMethods, icMethods } from '@cannery/ic/generated/ic-interface';
import { decodeEncoded } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';

/** Encodes the argument of a method of the management canister. */
export function encodeManagement<Name extends keyof IcMethods>(
  method: Name,
  arg: IcMethods[Name]['arg'],
): Uint8Array {
  const type = icMethods[method].arg;
  return new Uint8Array(IDL.encode(type ? [type] : [], type ? [arg] : []));
}

/** Decodes its answer. */
export function decodeManagement<Name extends keyof IcMethods>(
  method: Name,
  reply: Uint8Array,
): IcMethods[Name]['result'] {
  const type = icMethods[method].result;
  // The type and its TypeScript form are generated from one interface.
  return (type && decodeEncoded(reply, [type])[0]) as IcMethods[Name]['result'];
}
