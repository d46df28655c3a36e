import { isFinished, type DeployInstance } from '@cannery/contract';
import { waitingText } from '../api/instances.ts';
import { CancelRunButton } from './run-cancel-button.tsx';

/** Why a run that has not begun waits, and for one that is not over the way to cancel it. */
export function RunWaiting({ run }: { run: DeployInstance }) {
  if (run.id === '' || run.status === null || isFinished(run.status)) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-2.5">
      <p role="status" className="min-w-0 flex-1 text-sm text-muted">
        {run.status === 'SCHEDULED' ? waitingText(run.waiting) : ''}
      </p>
      <CancelRunButton run={run} />
    </div>
  );
}
