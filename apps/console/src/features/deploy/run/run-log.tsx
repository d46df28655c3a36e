import { isFinished, type DeployInstance } from '@cannery/contract';
import type { ReactNode } from 'react';
import { LogView } from '../log/log-view.tsx';
import { RunFailure } from './run-failure.tsx';
import { RunPhases } from './run-phases.tsx';
import { RunWaiting } from './run-waiting.tsx';
import { useLog } from './use-log.ts';

interface RunLogProps {
  /** Named by the button that opens it. */
  readonly id: string;
  readonly run: DeployInstance;
  readonly expanded: boolean;
  /** What can be done with the run. */
  readonly actions?: ReactNode;
  /** What can be done at once about its failure. */
  readonly afterFailure?: ReactNode;
}

/** As tall as phases and log together, so that the runs below it stay where they are. */
function LoadingLog() {
  return (
    <p
      role="status"
      className="h-[calc(50vh+6rem)] bg-log px-4 py-3 font-mono text-[12.5px] leading-5 text-log-muted"
    >
      Loading the log…
    </p>
  );
}

/** What a run says of itself: how far it is, why it failed, and its log. */
function OpenLog({ run, actions, afterFailure }: Pick<RunLogProps, 'run' | 'actions' | 'afterFailure'>) {
  const { log, isLoading } = useLog(run);
  const isOver = isFinished(run.status);
  // Phases and cause are read from the log: shown before it, the log would be pushed down by them.
  if (isOver && isLoading && log.count === 0) return <LoadingLog />;
  return (
    <>
      <RunWaiting run={run} />
      <RunPhases run={run} log={log} />
      <RunFailure run={run} log={log} action={afterFailure} />
      {actions}
      <LogView
        log={log}
        deployId={run.deploy_id ?? ''}
        runId={run.id}
        waiting={isOver ? 'This run wrote no log.' : 'Waiting for the first line…'}
      />
    </>
  );
}

/** The log of a run, where its button opens it. */
export function RunLog({ id, run, expanded, ...rest }: RunLogProps) {
  return (
    <div id={id} hidden={!expanded}>
      {expanded && <OpenLog run={run} {...rest} />}
    </div>
  );
}
