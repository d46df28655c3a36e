import type { Caller } from '../../caller/use-caller.ts';
import { CallerPicker } from './caller-picker.tsx';

interface CallerCardProps {
  readonly caller: Caller;
  readonly isController: boolean;
}

/** Who calls, where the rest of the page tells all else of the canister. */
export function CallerCard({ caller, isController }: CallerCardProps) {
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-1 rounded-card border border-line bg-surface px-5 py-3">
      <span className="text-sm leading-8 text-muted">Calls as</span>
      <CallerPicker caller={caller} isController={isController} />
    </div>
  );
}
