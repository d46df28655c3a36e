/**
 * Prices of a 13-node application subnet, in cycles: what the `ic0.cost_*` functions tell a canister. Source:
 * dfinity/ic `rs/config/src/subnet_config.rs` and "Cycle costs" of the developer docs (2026-08).
 */
export const SUBNET_NODES = 13n;
const CALL_BASE = 260_000n;
const CALL_BYTE = 1_000n;
const MESSAGE_BASE = 5_000_000n;
/** Largest response to a call that has to be reserved for, in bytes. */
const RESPONSE_BYTES = 2n * 1024n * 1024n;
const CREATE_CANISTER = 500_000_000_000n;
/** Price of a signature or key derivation by key name; other names do not exist. */
const KEY_PRICES: Readonly<Record<string, bigint>> = {
  key_1: 26_153_846_153n,
  test_key_1: 10_000_000_000n,
  dfx_test_key: 10_000_000_000n,
};

/** What must be at hand above the freezing limit to send a call; sizes in bytes, part of it comes back. */
export function costOfCall(
  methodBytes: bigint,
  payloadBytes: bigint,
  instructionLimit: bigint,
  memory64: boolean,
): bigint {
  const perInstruction = memory64 ? 2n : 1n;
  return (
    CALL_BASE +
    CALL_BYTE * (methodBytes + payloadBytes + RESPONSE_BYTES) +
    MESSAGE_BASE +
    instructionLimit * perInstruction
  );
}

export function costOfCreateCanister(): bigint {
  return CREATE_CANISTER;
}

/** An HTTP outcall of pricing version 1; sizes in bytes. */
export function costOfHttpRequest(requestBytes: bigint, maxResponseBytes: bigint): bigint {
  return (3_000_000n + 60_000n * SUBNET_NODES + 400n * requestBytes + 800n * maxResponseBytes) * SUBNET_NODES;
}

/** A threshold signature or key derivation with the named key, if there is such a key. */
export function costOfKeyUse(keyName: string): bigint | undefined {
  return Object.hasOwn(KEY_PRICES, keyName) ? KEY_PRICES[keyName] : undefined;
}
