import type { DeployInstance } from '@cannery/contract';
import { type ReactNode, useId } from 'react';
import { Card } from '../../../components/ui/card.tsx';
import { ExpandMark } from '../../../components/ui/expand-mark.tsx';
import { ago, instanceDate } from '../../../lib/text/formats.ts';
import { instanceSentence } from '../api/instances.ts';
import { RunLog } from './run-log.tsx';
import { RunModules } from './run-modules.tsx';
import { RunMark } from './run-mark.tsx';
import { RunPart } from './run-part.tsx';
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
export function LatestRun({
  deployName,
  run: listed,
  expanded,
  onExpandedChange,
  afterFailure,
}: LatestRunProps) {
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
            <RunPart run={run} />
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
