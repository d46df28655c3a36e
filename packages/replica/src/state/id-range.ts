import { isCanisterId, ordinalOf } from './canister-id.ts';

/**
 * IDs that belong together: those of a subnet, on a network that shows several. A canister that is made near one of them
 * gets its ID from the same range.
 */
export interface IdRange {
  /** First and last ordinals, in pairs. */
  readonly ordinals: readonly (readonly [first: bigint, last: bigint])[];
  /** IDs of new canisters are given out from this ordinal on. */
  readonly makesFrom: bigint;
}

/** The range that an ID is in. */
export function rangeNear<T extends IdRange>(ranges: readonly T[], id: Uint8Array): T | undefined {
  if (!isCanisterId(id)) return undefined;
  const ordinal = ordinalOf(id);
  return ranges.find(({ ordinals }) => ordinals.some(([first, last]) => first <= ordinal && ordinal <= last));
}
