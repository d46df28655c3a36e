import { type IcMethods, icMethods } from '@cannery/ic/generated/ic-interface';
import { decodeEncoded } from '@cannery/candid';

/** Decodes the answer of a method of the management canister. */
export function decodeManagement<Name extends keyof IcMethods>(
  method: Name,
  reply: Uint8Array,
): IcMethods[Name]['result'] {
  const type = icMethods[method].result;
  // The type and its TypeScript form are generated from one interface.
  return (type && decodeEncoded(reply, [type])[0]) as IcMethods[Name]['result'];
}
