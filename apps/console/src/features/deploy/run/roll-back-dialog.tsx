import type { DeployInstance } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { isLost } from '../../../lib/api/api-error.ts';
import { shown } from '../../../lib/text/formats.ts';
import { rollbackChanges } from '../api/instances.ts';
import { useRollBack } from '../api/mutations.ts';
import { deployQuery } from '../api/queries.ts';
import { offerUndo } from './undo-rollback.tsx';
import { useShowRun } from './use-show-run.ts';

interface RollBackDialogProps {
  readonly run: DeployInstance;
  /** The run whose result is live. */
  readonly live: DeployInstance | undefined;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Shows what a rollback to a run changes, asks whether pushes are to wait, starts it and leads to its log. */
export function RollBackDialog({ run, live, open, onOpenChange }: RollBackDialogProps) {
  const deployId = run.deploy_id ?? '';
  // The page of the deploy has it.
  const { data: deploy } = useQuery({ ...deployQuery(deployId), enabled: false });
  const showRun = useShowRun(deployId);
  const [pausesPush, setPausesPush] = useState(false);
  const rollBack = useRollBack(run, (started) => {
    // Without what is live there is nothing to put back.
    if ((live?.artifacts ?? []).length > 0) offerUndo(started);
    showRun(started);
  });
  const { commit_id: commitId, commit_message: message } = run;
  const asksForPause = deploy?.on_push === true && !deploy.push_paused_at;
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
        rollBack.mutate(
          { pausesPush: asksForPause && pausesPush },
          { onSettled: (_run, failure) => isLost(failure) || onOpenChange(false) },
        )
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
      {asksForPause && (
        <label className="mt-4 flex cursor-pointer gap-2.5 border-t border-line pt-4">
          <input
            type="checkbox"
            checked={pausesPush}
            disabled={rollBack.isPending}
            onChange={(event) => setPausesPush(event.target.checked)}
            className="mt-1 size-4 shrink-0 accent-accent"
          />
          <span>
            <span className="font-medium">Pause deploy on push</span>
            <span className="block text-sm text-muted">
              Otherwise the next push to <span className="font-mono wrap-anywhere">{deploy.branch}</span>{' '}
              replaces what you roll back to.
            </span>
          </span>
        </label>
      )}
    </ActionDialog>
  );
}
