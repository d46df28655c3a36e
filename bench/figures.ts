/** Median and quartiles of samples of one kind. */
export interface Spread {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** One line of the table. */
export interface Figure {
  readonly what: string;
  /** `x` for a ratio to a floor measured in the same run. */
  readonly unit: string;
  readonly spread: Spread;
  /** What has to be reached, in the same unit. */
  readonly goal?: { readonly atMost: number } | { readonly atLeast: number };
  /** Ratio of the floor to itself; outside 0.8-1.25 the machine was too uneven for a verdict. */
  readonly control?: Spread;
  readonly note?: string;
}

export type Verdict = 'reached' | 'missed' | 'no verdict' | '';

/** A group of figures, run in its own process. */
export interface Section {
  readonly title: string;
  run(report: (figure: Figure) => void): Promise<void>;
}

const CONTROL_LOW = 0.8;
const CONTROL_HIGH = 1.25;

/** The value below which `share` (0-1) of the samples lie, by linear interpolation; throws without samples. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)];
  const above = sorted[Math.ceil(at)];
  if (below === undefined || above === undefined) throw new Error('There are no samples.');
  return below + (above - below) * (at - Math.floor(at));
}

export function spreadOf(samples: readonly number[]): Spread {
  return { low: quantile(samples, 0.25), median: quantile(samples, 0.5), high: quantile(samples, 0.75) };
}

/** A figure is missed only when the whole range between its quartiles is on the wrong side of the goal. */
export function verdictOf({ goal, spread, control }: Figure): Verdict {
  if (!goal) return '';
  if (control && (control.low < CONTROL_LOW || control.high > CONTROL_HIGH)) return 'no verdict';
  if ('atMost' in goal) return spread.low > goal.atMost ? 'missed' : 'reached';
  return spread.high < goal.atLeast ? 'missed' : 'reached';
}

/** Ratios of two alternatives, run in turns so that a drift of the machine hits both; the first round is not counted. */
export async function ratios(
  ours: () => Promise<number>,
  floor: () => Promise<number>,
  rounds = 7,
): Promise<{
  readonly ratio: Spread;
  /** The ratio of each round that counts. */
  readonly each: readonly number[];
  readonly control: Spread;
  readonly ours: Spread;
  readonly floor: Spread;
}> {
  const samples: { ours: number; floor: number; again: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    samples.push({ floor: await floor(), ours: await ours(), again: await floor() });
  }
  const counted = samples.slice(1);
  const each = counted.map((one) => (one.ours * 2) / (one.floor + one.again));
  return {
    ratio: spreadOf(each),
    each,
    control: spreadOf(counted.map((each) => each.again / each.floor)),
    ours: spreadOf(counted.map((each) => each.ours)),
    floor: spreadOf(counted.flatMap((each) => [each.floor, each.again])),
  };
}

/** CPU time of this thread for one of `count` runs of `action`, in microseconds; repeated, after a warm-up. */
export function cpuMicros(action: () => void, count: number, rounds = 9): Spread {
  const once = (): number => {
    const before = process.threadCpuUsage();
    for (let i = 0; i < count; i++) action();
    const used = process.threadCpuUsage(before);
    return (used.user + used.system) / count;
  };
  once();
  return spreadOf(Array.from({ length: rounds }, once));
}
