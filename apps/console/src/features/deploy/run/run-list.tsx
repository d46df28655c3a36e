import type { Deploy, DeployInstance } from '@cannery/contract';
import { Rocket } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { ExpandMark } from '../../../components/ui/expand-mark.tsx';
import { Notice } from '../../../components/ui/notice.tsx';
import { Paged } from '../../../components/ui/paged.tsx';
import { pageSizes } from '../../../lib/table/paging.ts';
import { ago, instanceDate, shown } from '../../../lib/text/formats.ts';
import { canDeployAgain, instanceSentence, liveRun } from '../api/instances.ts';
import { EarlierRun } from './earlier-run.tsx';
import { DeployWithoutButton } from './deploy-without.tsx';
import { RunLog } from './run-log.tsx';
import { RunAuthor, RunLeftOut, RunMark, RunPart, RunTag } from './run-marks.tsx';
import { RunModules } from './run-modules.tsx';
import { useRunLog } from './use-runs.ts';

interface LatestRunProps {
  readonly deployName: string;
  readonly run: DeployInstance;
  readonly expanded: boolean;
  readonly onExpandedChange: (expanded: boolean) => void;
  /** What can be done at once about its failure. */
  readonly afterFailure: ReactNode;
}

/** The newest run as a panel that opens on its log. */
function LatestRun({ deployName, run: listed, expanded, onExpandedChange, afterFailure }: LatestRunProps) {
  const panel = useId();
  const run = useRunLog(listed, expanded);
  return (
    <Card className="overflow-hidden">
      <h2>
        <button
          type="button"
          aria-expanded={expanded}
          aria-controls={panel}
          onClick={() => onExpandedChange(!expanded)}
          className="flex min-h-14 w-full items-center gap-3 px-5 py-3 text-left outline-offset-[-2px]"
        >
          <RunMark status={run.status} />
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 gap-y-0.5">
            <span className="font-semibold wrap-anywhere">{instanceSentence(deployName, run)}</span>
            <span className="min-w-0 flex-1 truncate text-muted max-sm:basis-full">{run.commit_message}</span>
            <RunTag run={run} />
            <RunAuthor run={run} />
            <RunPart run={run} />
            <RunLeftOut run={run} />
            <span title={ago(run.created_at)} className="text-sm whitespace-nowrap text-muted">
              {run.duration === null ? '' : `${run.duration}s · `}
              {instanceDate(run.created_at)}
            </span>
          </span>
          <ExpandMark expanded={expanded} />
        </button>
      </h2>
      <RunLog
        id={panel}
        run={run}
        expanded={expanded}
        actions={<RunModules run={run} />}
        afterFailure={afterFailure}
      />
    </Card>
  );
}

/** Says after a failed run that the result of an earlier one is still served. */
function StillLive({ run }: { run: DeployInstance }) {
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

interface RunListProps {
  readonly deploy: Deploy;
  /** Newest first. */
  readonly runs: readonly DeployInstance[];
  readonly expanded: boolean;
  readonly onExpandedChange: (expanded: boolean) => void;
  /** The run that the page's address names. */
  readonly named: string | undefined;
  /** True while a run is being started or is under way. */
  readonly busy: boolean;
  /** @param canisters names of those that the run is limited to; none for the whole project */
  readonly onTrigger: (canisters: readonly string[]) => void;
}

/** The runs of a deploy: the newest as a panel, the others as a list. */
export function RunList({ deploy, runs, expanded, onExpandedChange, named, busy, onTrigger }: RunListProps) {
  const [latest, ...older] = runs;
  if (!latest) {
    return (
      <Card className="px-5 py-8 text-center text-muted">
        Nothing has been deployed yet. Press Manual Deploy to start the first run.
      </Card>
    );
  }
  const isNamed = (run: DeployInstance): boolean => run.id !== '' && run.id === named;
  const namedPlace = older.findIndex(isNamed);
  const live = liveRun(runs);
  return (
    <div className="flex flex-col gap-4">
      {named !== undefined && !runs.some(isNamed) && (
        <Notice tone="warn" title="This deploy has no such run" />
      )}
      {latest.status === 'FAILED' && live && <StillLive run={live} />}
      <LatestRun
        key={latest.id}
        deployName={shown(deploy.name)}
        run={latest}
        expanded={expanded}
        onExpandedChange={onExpandedChange}
        afterFailure={
          canDeployAgain(latest) && (
            <>
              <DeployWithoutButton deploy={deploy} run={latest} busy={busy} onTrigger={onTrigger} />
              <Button size="small" disabled={busy} onClick={() => onTrigger(latest.chosen_canisters ?? [])}>
                <Rocket className="size-4" aria-hidden="true" />
                Deploy again
              </Button>
            </>
          )
        }
      />
      {older.length > 0 && (
        <Card>
          <h2 className="px-5 pt-4 pb-2 text-sm font-medium text-muted">Earlier runs</h2>
          <Paged rows={older} sizes={pageSizes} startSize={25} startRow={namedPlace}>
            {(page) => (
              <ol aria-label="Earlier runs">
                {page.rows.map((run, place) => (
                  <EarlierRun
                    key={run.id || place}
                    deployName={shown(deploy.name)}
                    run={run}
                    isNamed={isNamed(run)}
                    live={live}
                  />
                ))}
              </ol>
            )}
          </Paged>
        </Card>
      )}
    </div>
  );
}
