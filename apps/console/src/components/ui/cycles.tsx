import { cyclesExact, cyclesInT, readCycles, type CyclesValue } from '../../lib/text/cycles.ts';

/** Cycles as a large '12.34 T' with the exact number beside it, or beneath where room is short. */
export function Cycles({ value }: { value: CyclesValue }) {
  return (
    <span className="inline-flex flex-wrap items-baseline justify-end gap-x-2">
      <span className="text-lg font-semibold whitespace-nowrap">{cyclesInT(value)}</span>
      {readCycles(value) !== undefined && (
        <span className="text-xs whitespace-nowrap text-muted">{cyclesExact(value)} cycles</span>
      )}
    </span>
  );
}
