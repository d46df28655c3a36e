import { IdText } from '../../../components/ui/id-text.tsx';
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

interface CanisterFactsProps {
  readonly moduleHash: string | undefined;
  readonly network: string;
  readonly caller: Caller;
  readonly isController: boolean;
}

/** What the page knows of its canister: the module, the network, and who calls. */
export function CanisterFactsCard({ moduleHash, network, caller, isController }: CanisterFactsProps) {
  return (
    <dl className="grid gap-x-8 gap-y-3 rounded-card border border-line bg-surface px-5 py-4 text-sm md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <dt className="text-xs text-muted">Module hash</dt>
        <dd className="min-h-7 py-0.5">
          {moduleHash === undefined ? 'N/A' : <IdText id={`0x${moduleHash}`} of="module hash" />}
        </dd>
      </div>
      <div>
        <dt className="text-xs text-muted">Network</dt>
        <dd className="font-mono leading-7 break-all">{network}</dd>
      </div>
      <div className="min-w-0 md:col-span-2">
        <dt className="mb-1 text-xs text-muted">Calls as</dt>
        <dd>
          <CallerPicker caller={caller} isController={isController} />
        </dd>
      </div>
    </dl>
  );
}
