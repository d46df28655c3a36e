import type { DeployInstance } from '@cannery/contract';
import { Notice } from '../../components/ui/notice.tsx';
import { type LogSnapshot, plainText } from './log-model.ts';

const FAILED = 'Failed: ';

/** Why a run failed and what to do next, as the service says it in the last line of the log. */
export function RunFailure({ run, log }: { run: DeployInstance; log: LogSnapshot }) {
  const last = plainText(log.lines[log.count - 1] ?? '');
  if (run.status !== 'FAILED' || !last.startsWith(FAILED)) return null;
  const text = last.slice(FAILED.length);
  return (
    <div className="px-5 pb-4">
      <Notice tone="bad" title="This run failed">
        <p className="mt-0.5 wrap-anywhere">{text.charAt(0).toUpperCase() + text.slice(1)}</p>
      </Notice>
    </div>
  );
}
