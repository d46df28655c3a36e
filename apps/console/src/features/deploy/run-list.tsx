import type { Deploy, DeployInstance } from '@cannery/contract';
import { Card } from '../../components/ui/card.tsx';
import { Paged } from '../../components/ui/paged.tsx';
import { ago, instanceDate } from '../../lib/formats.ts';
import { pageSizes } from '../../lib/paging.ts';
import { instanceSentence } from './instances.ts';
import { LatestRun } from './latest-run.tsx';
import { RunMark } from './run-mark.tsx';

interface RunListProps {
  readonly deploy: Deploy;
  /** Newest first. */
  readonly runs: readonly DeployInstance[];
  readonly expanded: boolean;
  readonly onExpandedChange: (expanded: boolean) => void;
}

/** The runs of a deploy: the newest as a panel, the others as a list. */
export function RunList({ deploy, runs, expanded, onExpandedChange }: RunListProps) {
  const [latest, ...older] = runs;
  if (!latest) {
    return (
      <Card className="px-5 py-8 text-center text-muted">
        Nothing has been deployed yet. Press Manual Deploy to start the first run.
      </Card>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <LatestRun
        key={latest.id}
        deployName={deploy.name}
        run={latest}
        expanded={expanded}
        onExpandedChange={onExpandedChange}
      />
      {older.length > 0 && (
        <Card>
          <h2 className="px-5 pt-4 pb-2 text-sm font-medium text-muted">Earlier runs</h2>
          <Paged rows={older} sizes={pageSizes} startSize={25}>
            {(page) => (
              <ol aria-label="Earlier runs">
                {page.rows.map((run) => (
                  <li
                    key={run.id}
                    className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-0.5 border-t border-line px-5 py-2.5"
                  >
                    <RunMark status={run.status} />
                    <span className="sr-only">{instanceSentence(deploy.name, run)}</span>
                    <span title={run.commit_id ?? undefined} className="font-mono text-sm">
                      {run.commit_id?.slice(0, 7)}
                    </span>
                    <span className="min-w-0 flex-1 truncate">{run.commit_message}</span>
                    <span title={ago(run.created_at)} className="text-sm whitespace-nowrap text-muted">
                      {instanceDate(run.created_at)}
                    </span>
                  </li>
                ))}
              </ol>
            )}
          </Paged>
        </Card>
      )}
    </div>
  );
}
