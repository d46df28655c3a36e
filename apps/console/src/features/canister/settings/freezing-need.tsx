import type { CanisterDetails } from '@cannery/contract';
import { Notice } from '../../../components/ui/notice.tsx';
import { cyclesExact, cyclesInUnit } from '../../../lib/text/cycles.ts';
import type { FreezingNeed as Need } from './freezing-threshold.ts';

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
