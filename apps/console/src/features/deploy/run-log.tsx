import { isFinished, type DeployInstance } from '@cannery/contract';
import type { ReactNode } from 'react';
import { LogView } from './log-view.tsx';
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

function waitingWords({ status }: DeployInstance, isLoading: boolean): string {
  if (!isFinished(status)) return 'Waiting for the first line…';
  return isLoading ? 'Loading the log…' : 'This run wrote no log.';
}

/** What a run says of itself: how far it is, why it failed, and its log. */
function OpenLog({ run, actions, afterFailure }: Pick<RunLogProps, 'run' | 'actions' | 'afterFailure'>) {
  const { log, isLoading } = useLog(run);
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
        waiting={waitingWords(run, isLoading)}
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
