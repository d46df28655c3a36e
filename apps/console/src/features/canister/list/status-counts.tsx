import type { Canister } from '@cannery/contract';
import { countRunning } from '../api/canister-state.ts';

/** How many canisters run and how many do not; where all are alike, their number stands beside this already. */
export function StatusCounts({ canisters }: { canisters: readonly Canister[] }) {
  const { running, others } = countRunning(canisters);
  const states = [
    { name: 'Running', count: running, dot: 'bg-ok' },
    { name: 'Stopped', count: others, dot: 'bg-warn' },
  ].filter(({ count }) => count > 0);
  return (
    <ul aria-label="Canisters by status" className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
      {states.map(({ name, count, dot }) => (
        <li key={name} className="flex items-center gap-2">
          <span className={`size-2 rounded-full ${dot}`} />
          {states.length > 1 && <span className="font-semibold text-ink">{count}</span>}
          <span>{name}</span>
        </li>
      ))}
    </ul>
  );
}
