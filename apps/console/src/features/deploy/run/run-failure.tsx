import type { DeployInstance } from '@cannery/contract';
import type { ReactNode } from 'react';
import { Notice } from '../../../components/ui/notice.tsx';
import { type LogSnapshot, plainText } from '../log/log-model.ts';
import { PublishAnywayButton } from './publish-anyway-button.tsx';

const FAILED = 'Failed: ';

interface RunFailureProps {
  readonly run: DeployInstance;
  readonly log: LogSnapshot;
  /** What can be done about it at once. */
  readonly action?: ReactNode;
}

/**
 * Why a run failed and what to do next, as the service says it in the last line of the log. One that was refused for an
 * interface can be published from here.
 */
export function RunFailure({ run, log, action }: RunFailureProps) {
  const last = plainText(log.lines[log.count - 1] ?? '');
  if (run.status !== 'FAILED' || !last.startsWith(FAILED)) return null;
  const text = last.slice(FAILED.length);
  const awaits = run.awaits_approval === true;
  return (
    <div className="px-5 pb-4">
      <Notice tone="bad" title="This run failed">
        <p className="mt-0.5 wrap-anywhere">{text.charAt(0).toUpperCase() + text.slice(1)}</p>
        {(action || awaits) && (
          <div className="mt-2.5 mb-1 flex flex-wrap gap-2">
            {awaits && <PublishAnywayButton run={run} reason={text} />}
            {action}
          </div>
        )}
      </Notice>
    </div>
  );
}
