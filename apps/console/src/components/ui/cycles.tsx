import { cyclesExact, cyclesInT, type CyclesValue } from '../../lib/cycles.ts';

/** Cycles as a large '12.34 T' with the exact number beneath. */
export function Cycles({ value }: { value: CyclesValue }) {
  return (
    <span className="inline-flex flex-col">
      <span className="text-2xl font-semibold tracking-tight">{cyclesInT(value)}</span>
      <span className="font-mono text-xs text-muted">{cyclesExact(value)} cycles</span>
    </span>
  );
}
