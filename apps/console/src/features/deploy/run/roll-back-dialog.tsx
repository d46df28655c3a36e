import type { DeployInstance } from '@cannery/contract';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { isLost } from '../../../lib/api/api-error.ts';
import { shown } from '../../../lib/text/formats.ts';
import { rollbackChanges } from '../api/instances.ts';
import { useRollBack } from '../api/mutations.ts';

interface RollBackDialogProps {
  readonly run: DeployInstance;
  /** The run whose result is live. */
  readonly live: DeployInstance | undefined;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Shows what a rollback to a run changes, and starts it. */
export function RollBackDialog({ run, live, open, onOpenChange }: RollBackDialogProps) {
  const rollBack = useRollBack(run);
  const { commit_id: commitId, commit_message: message } = run;
  return (
    <ActionDialog
      open={open}
      onClose={() => onOpenChange(false)}
      title={`Roll back to ${commitId?.slice(0, 7) ?? 'this run'}?`}
      description="What this run has published is published again. Nothing is built; data of canisters and the settings of the deploy stay."
      action="Roll back"
      keep="Keep what is live"
      busy={rollBack.isPending}
      onAction={() =>
        rollBack.mutate(undefined, { onSettled: (_run, failure) => isLost(failure) || onOpenChange(false) })
      }
    >
      <dl className="flex flex-col gap-2 text-sm">
        <div className="flex flex-wrap gap-x-2">
          <dt className="text-muted">Commit</dt>
          <dd className="wrap-anywhere">
            <span className="font-mono">{live?.commit_id?.slice(0, 7) ?? 'none'}</span> to{' '}
            <span className="font-mono">{commitId?.slice(0, 7)}</span> {message}
          </dd>
        </div>
        {rollbackChanges(run, live).map(({ name, change, from, to }, place) => (
          <div key={name ?? place} className="flex flex-wrap gap-x-2">
            <dt className="text-muted wrap-anywhere">{shown(name)}</dt>
            <dd>
              {change === 'same' && 'stays as it is'}
              {change === 'unknown' && (
                <>
                  becomes <span className="font-mono">{to}</span>
                </>
              )}
              {change === 'changed' && (
                <>
                  <span className="font-mono">{from}</span> to <span className="font-mono">{to}</span>
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </ActionDialog>
  );
}
