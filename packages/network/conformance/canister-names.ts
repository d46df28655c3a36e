import { Principal } from '@icp-sdk/core/principal';
import { FIRST_CANISTER_ORDINAL } from '@cannery/ic/limits';
import { canisterIdOf } from '@cannery/replica/state/canister-id';

/** Ordinal of the first canister a canister creates on the system subnet of the suite's network (lxzze-o7777-77777-aaaaa-cai). */
const FIRST_OF_SUITE = 0xffff_ffff_ffe0_0000n;
/** More canisters than any test creates. */
const MOST = 10_000n;
const CANISTER_ID = /\b[a-z0-9]{5}(?:-[a-z0-9]{5}){3}-cai\b/g;

/**
 * Names each canister that was created in the course of a test as the suite's network names it. Which IDs a network
 * hands out is its own affair; the expected output holds those of the other one.
 */
export function suiteNames(output: string): string {
  return output.replaceAll(CANISTER_ID, (text) => {
    const place = ordinalOf(text) - FIRST_CANISTER_ORDINAL;
    if (place < 0n || place >= MOST) return text;
    return Principal.fromUint8Array(canisterIdOf(FIRST_OF_SUITE + place)).toText();
  });
}

function ordinalOf(text: string): bigint {
  try {
    return Buffer.from(Principal.fromText(text).toUint8Array()).readBigUInt64BE();
  } catch {
    return -1n;
  }
}
