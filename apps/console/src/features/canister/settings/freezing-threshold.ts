import type { CanisterDetails } from '@cannery/contract';

const SECONDS_PER_DAY = 86_400n;

type Costs = Pick<CanisterDetails, 'cycles' | 'reserved_cycles' | 'idle_cycles_burned_per_day'>;

export interface FreezingNeed {
  /** Cycles the canister must have, or it is frozen. */
  readonly cycles: bigint;
  /** It has less. */
  readonly freezes: boolean;
}

/**
 * What a freezing threshold, in seconds, asks of a canister with what it burns now; undefined for no number. The
 * reserved balance pays first (interface specification, `freezing_limit`).
 */
export function freezingNeed(costs: Costs, threshold: string | undefined): FreezingNeed | undefined {
  if (threshold === undefined) return undefined;
  const burned = (BigInt(costs.idle_cycles_burned_per_day) * BigInt(threshold)) / SECONDS_PER_DAY;
  const reserved = BigInt(costs.reserved_cycles);
  const cycles = burned > reserved ? burned - reserved : 0n;
  return { cycles, freezes: BigInt(costs.cycles) < cycles };
}
