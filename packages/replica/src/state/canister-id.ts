import { Principal } from '@icp-sdk/core/principal';

/** Lower-case hexadecimal form of an ID: map key and store key. The management canister is the empty string. */
export type IdKey = string;

export const MANAGEMENT_KEY: IdKey = '';
export const MANAGEMENT_ID = new Uint8Array(0);

export function idKey(id: Uint8Array): IdKey {
  return Buffer.from(id.buffer, id.byteOffset, id.byteLength).toString('hex');
}

export function idText(id: Uint8Array): string {
  return Principal.fromUint8Array(id).toText();
}

/** The opaque ID of the n-th canister: ordinal as 8 big-endian bytes, then 0x01 0x01 as on the IC. */
export function canisterIdOf(ordinal: bigint): Uint8Array {
  const id = new Uint8Array(10);
  new DataView(id.buffer).setBigUint64(0, ordinal);
  id[8] = 1;
  id[9] = 1;
  return id;
}

/** The ordinal in the ID of a canister. */
export function ordinalOf(id: Uint8Array): bigint {
  return new DataView(id.buffer, id.byteOffset, id.byteLength).getBigUint64(0);
}

export function isCanisterId(id: Uint8Array): boolean {
  return id.length === 10 && id[8] === 1 && id[9] === 1;
}

export function sameId(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

export function includesId(list: readonly Uint8Array[], id: Uint8Array): boolean {
  return list.some((entry) => sameId(entry, id));
}
