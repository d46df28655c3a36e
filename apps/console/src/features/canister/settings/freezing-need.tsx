import type { CanisterDetails } from '@cannery/contract';
import { Notice } from '../../../components/ui/notice.tsx';
import { cyclesExact, cyclesInUnit } from '../../../lib/text/cycles.ts';

const SECONDS_PER_DAY = 86_400n;

type Costs = Pick<CanisterDetails, 'cycles' | 'reserved_cycles' | 'idle_cycles_burned_per_day'>;

interface Need {
  /** Cycles the canister must have, or it is frozen. */
  readonly cycles: bigint;
  /** It has less. */
  readonly freezes: boolean;
}

/**
 * What a freezing threshold, in seconds, asks of a canister with what it burns now; undefined for no number. The
 * reserved balance pays first (interface specification, `freezing_limit`).
 */
export function freezingNeed(costs: Costs, threshold: string | undefined): Need | undefined {
  if (threshold === undefined) return undefined;
  const burned = (BigInt(costs.idle_cycles_burned_per_day) * BigInt(threshold)) / SECONDS_PER_DAY;
  const reserved = BigInt(costs.reserved_cycles);
  const cycles = burned > reserved ? burned - reserved : 0n;
  return { cycles, freezes: BigInt(costs.cycles) < cycles };
}

interface FreezingNeedProps {
  /** Undefined while no number is in the field. */
  readonly need: Need | undefined;
  readonly details: CanisterDetails;
}

/** How many cycles the entered freezing threshold takes, and a warning when the canister has fewer. */
export function FreezingNeed({ need, details }: FreezingNeedProps) {
  const amount = need && cyclesInUnit(need.cycles.toString());
  return (
    <div role="status" className="empty:hidden">
      {need && !need.freezes && (
        <p className="text-sm text-muted" title={`${cyclesExact(need.cycles.toString())} cycles`}>
          Keeps {amount} of the {cyclesInUnit(details.cycles)} cycles untouched.
        </p>
      )}
      {need?.freezes && (
        <Notice
          tone="warn"
          title={details.frozen ? 'The canister stays frozen' : 'The canister would freeze at once'}
        >
          <p>
            At what it burns now this needs {amount} cycles, and the canister has{' '}
            {cyclesInUnit(details.cycles)}. It refuses all calls until it is topped up or the time is made
            shorter.
          </p>
        </Notice>
      )}
    </div>
  );
}
