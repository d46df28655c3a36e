import type { CanisterReport } from '../../../ic/management/canister-report.ts';

const SECONDS_PER_DAY = 86_400n;

/** What decides when a canister freezes, besides its balance. */
export interface FreezingNeed {
  /**
   * Cycles that the time of the freezing threshold costs, less the reserved ones, which pay first (specification,
   * `freezing_limit`); below zero when those cover more than it.
   */
  readonly need: bigint;
  /** Cycles a day that it burns when it does nothing. */
  readonly perDay: bigint;
}

export function freezingNeed(report: CanisterReport): FreezingNeed {
  const { idleCyclesBurnedPerDay: perDay, reservedCycles, settings } = report;
  const reserve = (perDay * BigInt(settings.freezing_threshold)) / SECONDS_PER_DAY;
  return { need: reserve - reservedCycles, perDay };
}

/** The main balance below which the canister is frozen. */
export function freezingLimit({ need }: FreezingNeed): bigint {
  return need > 0n ? need : 0n;
}

/** Days with one decimal, at least 0; null when nothing is burned. */
export function daysUntilFreezing(cycles: bigint, { need, perDay }: FreezingNeed): number | null {
  if (perDay === 0n) return null;
  const spare = cycles - need;
  return spare <= 0n ? 0 : Number((spare * 10n) / perDay) / 10;
}
