import type { DeployInstance } from '@cannery/contract';
import { Undo2 } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { ExpandMark } from '../../../components/ui/expand-mark.tsx';
import { ago, instanceDate, shown } from '../../../lib/text/formats.ts';
import { canRollBack, instanceSentence } from '../api/instances.ts';
import { RollBackDialog } from './roll-back-dialog.tsx';
import { RunLog } from './run-log.tsx';
import { RunAuthor, RunLeftOut, RunMark, RunPart, RunTag } from './run-marks.tsx';
import { RunModules } from './run-modules.tsx';
import { useRunLog } from './use-runs.ts';

interface RollBackButtonProps {
  readonly run: DeployInstance;
  /** The run whose result is live. */
  readonly live: DeployInstance | undefined;
}

/** Publishes again what an earlier run has published, after showing what changes by it. */
function RollBackButton({ run, live }: RollBackButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className="px-5 pb-4">
      <Button size="small" onClick={() => setOpen(true)}>
        <Undo2 className="size-4" aria-hidden="true" />
        Roll back to this
      </Button>
      <RollBackDialog run={run} live={live} open={open} onOpenChange={setOpen} />
    </div>
  );
}

interface EarlierRunProps {
  readonly deployName: string;
  readonly run: DeployInstance;
  /** Whether the page's address names it; then it is open and in view. */
  readonly isNamed: boolean;
  /** The run whose result is live. */
  readonly live: DeployInstance | undefined;
}

/** A run before the newest: a row that opens on its log. */
export function EarlierRun({ deployName, run: listed, isNamed, live }: EarlierRunProps) {
  const panel = useId();
  const row = useRef<HTMLLIElement>(null);
  const [expanded, setExpanded] = useState(isNamed);
  const run = useRunLog(listed, expanded);
  useEffect(() => {
    if (isNamed) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isNamed]);
  return (
    <li ref={row} className="border-t border-line">
      <button
        type="button"
        aria-expanded={expanded}
        aria-controls={panel}
        onClick={() => setExpanded(!expanded)}
        className="flex min-h-11 w-full items-center gap-3 px-5 py-2.5 text-left outline-offset-[-2px] hover:bg-ink/3"
      >
        <RunMark status={run.status} />
        <span className="sr-only">{instanceSentence(deployName, run)}</span>
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-0.5">
          <span title={run.commit_id ?? undefined} className="font-mono text-sm">
            {shown(run.commit_id?.slice(0, 7))}
          </span>
          <span className="min-w-0 flex-1 truncate max-sm:order-last max-sm:basis-full">
            {run.commit_message}
          </span>
          <RunTag run={run} />
          <RunAuthor run={run} />
          <RunPart run={run} />
          <RunLeftOut run={run} />
          {run.trigger_by === 'PUSH' && <span className="text-sm whitespace-nowrap text-muted">by push</span>}
          {run.trigger_by === 'ROLLBACK' && (
            <span className="text-sm whitespace-nowrap text-muted">rollback</span>
          )}
          {run.trigger_by === 'APPROVAL' && (
            <span className="text-sm whitespace-nowrap text-muted">published anyway</span>
          )}
          <span title={ago(run.created_at)} className="text-sm whitespace-nowrap text-muted">
            {instanceDate(run.created_at)}
          </span>
        </span>
        <ExpandMark expanded={expanded} />
      </button>
      <RunLog
        id={panel}
        run={run}
        expanded={expanded}
        actions={
          <>
            <RunModules run={run} />
            {canRollBack(run, live) && <RollBackButton run={run} live={live} />}
          </>
        }
      />
    </li>
  );
}
