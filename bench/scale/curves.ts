import { slopeOf } from '../../apps/server/crash/held-by.ts';

/** How long something takes by the number of things that there are. */
export interface Curve {
  /** What there are many of. */
  readonly thing: string;
  readonly what: string;
  /** `request`: asks for a page or makes one change; `bulk`: answers or makes all of them. */
  readonly kind: 'request' | 'bulk';
  readonly points: readonly (readonly [count: number, ms: number])[];
}

/** Greatest exponents that are allowed: a thousand times as many may double a request, and cost all of them 1,400 times as much. */
export const MOST: Readonly<Record<Curve['kind'], number>> = { request: 0.1, bulk: 1.05 };

/** The exponent of the power that fits a curve best, by the line of least squares through logarithms. */
export function exponentOf({ points }: Curve): number {
  return slopeOf(points.map(([count, ms]) => [Math.log(count), Math.log(ms)]));
}
