import type { DeployInstance } from '@cannery/contract';
import { Notice } from '../../../components/ui/notice.tsx';
import { instanceDate } from '../../../lib/text/formats.ts';

/** Says after a failed run that the result of an earlier one is still served. */
export function StillLive({ run }: { run: DeployInstance }) {
  const commit = run.commit_id?.slice(0, 7);
  return (
    <Notice tone="info" title="The last run failed; what was live before is still live">
      <p className="text-muted">
        {commit && <span className="font-mono text-[12px]">{commit}</span>} {run.commit_message} (
        {instanceDate(run.created_at)})
      </p>
    </Notice>
  );
}
