import { isFinished, type DeployInstance } from '@cannery/contract';
import { instanceLog } from './instances.ts';
import { LogView } from './log-view.tsx';

interface RunLogProps {
  /** Named by the button that opens it. */
  readonly id: string;
  readonly run: DeployInstance;
  readonly expanded: boolean;
}

/** The log of a run, where its button opens it. */
export function RunLog({ id, run, expanded }: RunLogProps) {
  return (
    <div id={id} hidden={!expanded}>
      {expanded && (
        <LogView
          log={instanceLog(run)}
          waiting={isFinished(run.status) ? 'This run wrote no log.' : 'Waiting for the first line…'}
        />
      )}
    </div>
  );
}
