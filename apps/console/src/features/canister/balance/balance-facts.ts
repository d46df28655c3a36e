import type { CanisterBalances } from '@cannery/contract';

type Samples = CanisterBalances['samples'];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface BalanceFacts {
  /** Cycles that went, as far as the readings show. */
  readonly burned: bigint;
  /** Cycles a day at that pace; undefined before an hour has been watched. */
  readonly perDay: bigint | undefined;
}

/**
 * What a canister burned over its readings, oldest first. A stretch in which the balance rose is left out, in amount
 * and in time: how much went beside what came cannot be told.
 */
export function balanceFacts(samples: Samples): BalanceFacts {
  let burned = 0n;
  let watched = 0;
  for (const [index, after] of samples.entries()) {
    const before = samples[index - 1];
    if (before === undefined) continue;
    const went = BigInt(before.cycles) - BigInt(after.cycles);
    if (went < 0n) continue;
    burned += went;
    watched += Date.parse(after.at) - Date.parse(before.at);
  }
  if (watched < HOUR_MS) return { burned, perDay: undefined };
  return { burned, perDay: (burned * BigInt(DAY_MS)) / BigInt(watched) };
}

/** Days until a balance falls to a limit at a pace; undefined when the pace is unknown, null when it never does. */
export function daysAtPace(
  { cycles, limit }: { cycles: bigint; limit: bigint },
  perDay: bigint | undefined,
): number | null | undefined {
  if (perDay === undefined) return undefined;
  if (perDay === 0n) return null;
  return cycles <= limit ? 0 : Number(((cycles - limit) * 10n) / perDay) / 10;
}

export interface BalanceRow {
  readonly at: string;
  readonly cycles: string;
  /** Since the reading before; undefined for the first. */
  readonly change: bigint | undefined;
  /** What came from the account since the reading before. */
  readonly added: bigint;
}

/** The readings as rows of a table, newest first. */
export function balanceRows({ samples, top_ups }: CanisterBalances): BalanceRow[] {
  return samples
    .map((sample, index): BalanceRow => {
      const before = samples[index - 1];
      if (before === undefined) return { ...sample, change: undefined, added: 0n };
      const added = top_ups
        .filter(({ at }) => at > before.at && at <= sample.at)
        .reduce((sum, { cycles }) => sum + BigInt(cycles), 0n);
      return { ...sample, change: BigInt(sample.cycles) - BigInt(before.cycles), added };
    })
    .toReversed();
}
