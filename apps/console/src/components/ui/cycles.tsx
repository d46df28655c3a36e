import { cyclesExact, cyclesInT, readCycles, type CyclesValue } from '../../lib/cycles.ts';

/** Cycles as a large '12.34 T' with the exact number beneath. */
export function Cycles({ value }: { value: CyclesValue }) {
  return (
    <span className="inline-flex flex-col">
      <span className="text-2xl font-semibold tracking-tight">{cyclesInT(value)}</span>
      {readCycles(value) !== undefined && (
        <span className="font-mono text-xs text-muted">{cyclesExact(value)} cycles</span>
      )}
    </span>
  );
}
