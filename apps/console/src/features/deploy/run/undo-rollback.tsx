import type { DeployInstance } from '@cannery/contract';
import { Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Store, useStore } from '../../../lib/browser/store.ts';
import { useUndoRollback } from '../api/run-actions.ts';
import { useShowRun } from './use-show-run.ts';

/** Milliseconds for which an undo is offered. */
const UNDO_MS = 10_000;
const TICK_MS = 250;

/** Until when the rollbacks that this page has started can be undone, by run: milliseconds since 1970. */
const deadlines = new Store<ReadonlyMap<string, number>>(new Map());

/** Offers to undo a rollback that has just been started. */
export function offerUndo(runId: string, now = Date.now()): void {
  deadlines.set(new Map([...deadlines.get(), [runId, now + UNDO_MS]]));
}

function withdrawUndo(runId: string): void {
  deadlines.set(new Map([...deadlines.get()].filter(([id]) => id !== runId)));
}

/** Milliseconds that are left for an undo; while it is held, it keeps what it has. */
function useTimeLeft(runId: string, isHeld: boolean): number {
  const until = useStore(deadlines).get(runId);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (until === undefined || isHeld) return;
    const timer = setInterval(() => {
      const at = Date.now();
      setNow(at);
      if (at >= until) withdrawUndo(runId);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [runId, until, isHeld]);
  return until === undefined ? 0 : Math.max(until - now, 1);
}

function UndoButton({ run }: { run: DeployInstance }) {
  const [isHeld, setHeld] = useState(false);
  const left = useTimeLeft(run.id, isHeld);
  const showRun = useShowRun(run.deploy_id ?? '');
  const undo = useUndoRollback(run, showRun);
  if (left === 0) return null;
  return (
    <Button
      size="small"
      aria-label="Undo the rollback"
      busy={undo.isPending}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onClick={() => undo.mutate(undefined, { onSettled: () => withdrawUndo(run.id) })}
    >
      <Undo2 className="size-4" aria-hidden="true" />
      Undo
      <span aria-hidden="true" className="min-w-6 text-right text-muted tabular-nums">
        {Math.ceil(left / 1000)} s
      </span>
    </Button>
  );
}

/** What a rollback does or has done, in one line that stays; for a while it can be undone from there. */
export function RollbackLine({ run }: { run: DeployInstance }) {
  if (run.trigger_by !== 'ROLLBACK') return null;
  const commit = run.commit_id?.slice(0, 7) || 'an earlier run';
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-5 py-1.5 max-sm:min-h-14">
      <p className="min-w-0 flex-1 text-sm text-muted">
        {run.status === 'COMPLETED' && 'Rolled back: '}
        {run.status === 'FAILED' && 'This rollback did not succeed: '}
        {run.status !== 'COMPLETED' && run.status !== 'FAILED' && 'Rolling back: '}
        what <span className="font-mono text-[12px]">{commit}</span> published
        {run.status === 'COMPLETED' && ' is served again'}
        {run.status === 'FAILED' && ' was to be served again'}
        {run.status !== 'COMPLETED' && run.status !== 'FAILED' && ' is put back'}.
      </p>
      <UndoButton run={run} />
    </div>
  );
}
