import { Principal } from '@icp-sdk/core/principal';

const EXPIRY_MS = 240_000;

/** A query of a method without arguments, as it is in an envelope; anonymous where no sender is given. */
export function queryContent(canister: Principal, sender = Principal.anonymous()): object {
  return {
    request_type: 'query',
    canister_id: canister,
    method_name: 'get',
    arg: new Uint8Array(Buffer.from('DIDL\0\0')),
    sender: sender.toUint8Array(),
    ingress_expiry: BigInt(Date.now() + EXPIRY_MS) * 1_000_000n,
  };
}
