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

/** Whether two IDs are in different ranges, where there are several; IDs of no range are in the first one. */
export function areApart(
  ranges: readonly IdRange[] | undefined,
  one: Uint8Array,
  other: Uint8Array,
): boolean {
  if (!ranges || ranges.length < 2) return false;
  const rangeOf = (id: Uint8Array): IdRange | undefined => rangeNear(ranges, id) ?? ranges[0];
  return rangeOf(one) !== rangeOf(other);
}
