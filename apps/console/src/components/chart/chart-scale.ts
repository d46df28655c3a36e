/** Something that happened at a moment. */
export interface ChartMark {
  readonly at: number;
  readonly text: string;
}

/** A reading at a moment, in milliseconds since 1970. */
export interface ChartPoint {
  readonly at: number;
  readonly value: number;
  /** The exact value, for people. */
  readonly text: string;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Steps that people read off a clock or a calendar, in milliseconds. */
const timeSteps = [
  1_000,
  5_000,
  15_000,
  30_000,
  ...[1, 2, 5, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 5, 7, 14, 30, 60, 90, 180].map((days) => days * DAY),
];

export interface Ticks {
  readonly step: number;
  readonly values: readonly number[];
}

function every(step: number, from: number, to: number, offset = 0): number[] {
  const first = Math.ceil((from + offset) / step);
  const count = Math.floor((to + offset) / step) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => (first + index) * step - offset);
}

/** Moments between two others, at most this many, at full minutes, hours or days of the browser's clock. */
export function timeTicks(from: number, to: number, most: number): Ticks {
  const wanted = (to - from) / Math.max(1, most);
  const step = timeSteps.find((length) => length >= wanted) ?? Math.ceil(wanted / DAY) * DAY;
  const offset = -new Date(to).getTimezoneOffset() * MINUTE;
  return { step, values: every(step, from, to, offset) };
}

/** What stands under a moment of the axis. */
export function timeTickText(at: number, step: number): string {
  const date = new Date(at);
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0 && date.getSeconds() === 0;
  if (step >= DAY || (isMidnight && step >= HOUR)) {
    return `${date.getDate()} ${date.toLocaleDateString('en-US', { month: 'short' })}`;
  }
  const seconds = step < MINUTE ? ({ second: '2-digit' } as const) : {};
  return date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', ...seconds });
}

/** Room above and below a line, as a share of what it spans. */
const MARGIN = 0.08;
/** The least that an axis spans, as a share of the highest value: a fall of a thousandth is not to look like a crash. */
const LEAST_SPAN = 0.1;

/** The values an axis shows for readings: a little more than they span, not less than a tenth of the highest, and none below zero. */
export function valueRange(values: readonly number[]): readonly [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (high === 0) return [0, 1];
  const missing = high * LEAST_SPAN - (high - low);
  const margin = Math.max((high - low) * MARGIN, missing / 2);
  return [Math.max(0, low - margin), high + margin];
}

/** Round values between two others, about this many, in steps of 1, 2 or 5 and zeros. */
export function valueTicks(low: number, high: number, about: number): Ticks {
  const raw = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5].find((factor) => factor * power >= raw) ?? 10) * power;
  return { step, values: every(step, low, high) };
}

/** An SVG path through readings, placed by two functions: each value holds until the next one, and the last until a moment. */
export function linePath(
  points: readonly ChartPoint[],
  { x, y }: { x: (at: number) => number; y: (value: number) => number },
  until: number,
): string {
  const path = points.map(({ at, value }, index) =>
    index === 0
      ? `M${x(at).toFixed(1)} ${y(value).toFixed(1)}`
      : `H${x(at).toFixed(1)}V${y(value).toFixed(1)}`,
  );
  return `${path.join('')}H${x(until).toFixed(1)}`;
}

/**
 * The time that an axis shows, in milliseconds since 1970: a range of some length up to `now`; without a length, from the first reading
 * on. A clock that is behind the service's must not leave the newest reading out.
 */
export function shownTime(
  points: readonly ChartPoint[],
  { length, now }: { length: number | undefined; now: number },
): { from: number; to: number } {
  const to = Math.max(now, points.at(-1)?.at ?? 0);
  return { from: length === undefined ? (points[0]?.at ?? to) : to - length, to };
}

/** The readings since a moment, which begin with what was so at that moment. */
export function pointsSince(points: readonly ChartPoint[], from: number): ChartPoint[] {
  const inside = points.filter(({ at }) => at >= from);
  const before = points[points.length - inside.length - 1];
  return before === undefined ? inside : [{ ...before, at: from }, ...inside];
}

/** The index of the reading closest to a moment; readings are in order of time. */
export function nearestIndex(points: readonly ChartPoint[], at: number): number {
  let best = 0;
  let distance = Number.POSITIVE_INFINITY;
  for (const [index, point] of points.entries()) {
    const away = Math.abs(point.at - at);
    if (away > distance) break;
    best = index;
    distance = away;
  }
  return best;
}
