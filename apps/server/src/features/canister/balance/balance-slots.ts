/** Balances of one canister that are closer together than this share a place, in seconds; the newest takes it. */
export const SLOT_SECONDS = 5;

const HOUR = 3_600;
const DAY = 24 * HOUR;

/**
 * How close together balances stay with age, in seconds. The last hour keeps what single actions cost; after it come a
 * day of 5 minutes, a month of hours and a year of days: about 1,350 balances of a canister, and never 2,100.
 */
const tiers = [
  { until: HOUR, every: SLOT_SECONDS },
  { until: DAY, every: 300 },
  { until: 31 * DAY, every: HOUR },
  { until: 366 * DAY, every: DAY },
] as const;

/** The place of a moment. */
export function slotOf(at: Date): number {
  return Math.floor(at.getTime() / 1000 / SLOT_SECONDS);
}

/** The places to give up at a moment, so that of each stretch of a tier only the newest balance stays. */
export function surplusSlots(slots: readonly number[], now: Date): number[] {
  const kept = new Set<string>();
  return slots
    .toSorted((a, b) => b - a)
    .filter((slot) => {
      const taken = slot * SLOT_SECONDS;
      const age = now.getTime() / 1000 - taken;
      const tier = tiers.find(({ until }) => age < until);
      if (tier === undefined) return true;
      const stretch = `${tier.every}/${Math.floor(taken / tier.every)}`;
      if (kept.has(stretch)) return true;
      kept.add(stretch);
      return false;
    });
}

/** Whether two places lie in different hours: then it is time to thin out. */
export function isNewHour(before: number, after: number): boolean {
  return Math.floor((before * SLOT_SECONDS) / HOUR) !== Math.floor((after * SLOT_SECONDS) / HOUR);
}

/** At most this many of a list in order of time: of each stretch of equal length the last one, and always the newest. */
export function spreadOut<T extends { readonly taken_at: Date }>(list: readonly T[], most: number): T[] {
  const [first, last] = [list[0], list.at(-1)];
  if (first === undefined || last === undefined || list.length <= most) return [...list];
  const start = first.taken_at.getTime();
  const length = (last.taken_at.getTime() - start + 1) / most;
  const stretch = (item: T): number => Math.floor((item.taken_at.getTime() - start) / length);
  return list.filter((item, index) => {
    const next = list[index + 1];
    return next === undefined || stretch(next) !== stretch(item);
  });
}
