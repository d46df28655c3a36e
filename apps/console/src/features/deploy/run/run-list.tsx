import type { Deploy, DeployInstance } from '@cannery/contract';
import { Rocket } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Notice } from '../../../components/ui/notice.tsx';
import { Paged } from '../../../components/ui/paged.tsx';
import { pageSizes } from '../../../lib/table/paging.ts';
import { instanceDate, shown } from '../../../lib/text/formats.ts';
import { canDeployAgain, instanceSentence, liveRun } from '../api/instances.ts';
import { EarlierRun } from './earlier-run.tsx';
import { DeployWithoutButton } from './deploy-without.tsx';
import { RunLog } from './run-log.tsx';
import { RunMenu } from './run-menu.tsx';
import { RunModules } from './run-modules.tsx';
import { RunRow } from './run-row.tsx';
import { RollbackLine } from './undo-rollback.tsx';
import { useRunLog } from './use-runs.ts';

interface LatestRunProps {
  readonly deploy: Deploy;
  readonly run: DeployInstance;
  readonly expanded: boolean;
  readonly onExpandedChange: (expanded: boolean) => void;
  /** Whether the page's address names it; then it is in view. */
  readonly isNamed: boolean;
  /** The run whose result is live. */
  readonly live: DeployInstance | undefined;
  readonly busy: boolean;
  /** What can be done at once about its failure. */
  readonly afterFailure: ReactNode;
}

/** The newest run as a panel that opens on its log, with a menu of what can be done with it. */
function LatestRun({
  deploy,
  run: listed,
  expanded,
  onExpandedChange,
  isNamed,
  live,
  busy,
  afterFailure,
}: LatestRunProps) {
  const panel = useId();
  const card = useRef<HTMLDivElement>(null);
  const run = useRunLog(listed, expanded);
  const isInView = isNamed && expanded;
  useEffect(() => {
    if (isInView) card.current?.scrollIntoView({ block: 'nearest' });
  }, [isInView]);
  return (
    <div ref={card} className="scroll-mt-20">
      <Card className="overflow-hidden">
        <div className="flex items-center pr-3 max-sm:items-start max-sm:pr-1">
          <h2 className="flex min-w-0 flex-1">
            <RunRow
              run={run}
              panel={panel}
              expanded={expanded}
              onToggle={() => onExpandedChange(!expanded)}
              isLive={run.id !== '' && run.id === live?.id}
              title={
                <span className="font-semibold wrap-anywhere">
                  {instanceSentence(shown(deploy.name), run)}
                </span>
              }
            />
          </h2>
          <RunMenu deploy={deploy} run={run} live={live} busy={busy} onLog={() => onExpandedChange(true)} />
        </div>
        <RollbackLine run={run} />
        <RunLog
          id={panel}
          run={run}
          expanded={expanded}
          actions={<RunModules run={run} />}
          afterFailure={afterFailure}
        />
      </Card>
    </div>
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

/** Ids of the runs that were the newest while this page was open. */
function useFormerLatest(latest: string | undefined): ReadonlySet<string> {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  if (latest !== undefined && !seen.has(latest)) setSeen(new Set([...seen, latest]));
  return seen;
}

/** The runs of a deploy: the newest as a panel, the others as a list. */
export function RunList({ deploy, runs, expanded, onExpandedChange, named, busy, onTrigger }: RunListProps) {
  const [latest, ...older] = runs;
  const former = useFormerLatest(latest?.id);
  if (!latest) {
    return (
      <Card className="px-5 py-8 text-center text-muted">
        Nothing has been deployed yet. Press Manual Deploy to start the first run.
      </Card>
    );
  }
  const isNamed = (run: DeployInstance): boolean => run.id !== '' && run.id === named;
  const namedPlace = older.findIndex(isNamed);
  const live = liveRun(runs, deploy.live_run);
  return (
    <div className="flex flex-col gap-4">
      {named !== undefined && !runs.some(isNamed) && (
        <Notice tone="warn" title="This deploy has no such run" />
      )}
      {latest.status === 'FAILED' && live && <StillLive run={live} />}
      <LatestRun
        key={latest.id}
        deploy={deploy}
        run={latest}
        expanded={expanded}
        onExpandedChange={onExpandedChange}
        isNamed={isNamed(latest)}
        live={live}
        busy={busy}
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
                    deploy={deploy}
                    run={run}
                    isNamed={isNamed(run)}
                    wasLatest={former.has(run.id)}
                    live={live}
                    busy={busy}
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
