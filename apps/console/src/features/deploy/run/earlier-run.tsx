import type { Deploy, DeployInstance } from '@cannery/contract';
import { Undo2 } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { shown } from '../../../lib/text/formats.ts';
import { canRollBack, instanceSentence } from '../api/instances.ts';
import { RollBackDialog } from './roll-back-dialog.tsx';
import { RunLog } from './run-log.tsx';
import { RunMenu } from './run-menu.tsx';
import { RunModules } from './run-modules.tsx';
import { RunRow } from './run-row.tsx';
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
  readonly deploy: Deploy;
  readonly run: DeployInstance;
  /** Whether the page's address names it; then it is open and in view. */
  readonly isNamed: boolean;
  /** Whether it was the newest run while this page was open: then it is not open because it was named as that. */
  readonly wasLatest: boolean;
  /** The run whose result is live. */
  readonly live: DeployInstance | undefined;
  /** True while a run is being started or is under way. */
  readonly busy: boolean;
}

/** A run before the newest: a row that opens on its log, with a menu of what can be done with it. */
export function EarlierRun({ deploy, run: listed, isNamed, wasLatest, live, busy }: EarlierRunProps) {
  const panel = useId();
  const row = useRef<HTMLLIElement>(null);
  const [expanded, setExpanded] = useState(isNamed && !wasLatest);
  const [wasNamed, setWasNamed] = useState(isNamed);
  if (isNamed !== wasNamed) {
    setWasNamed(isNamed);
    if (isNamed) setExpanded(true);
  }
  const run = useRunLog(listed, expanded);
  const isInView = isNamed && expanded;
  useEffect(() => {
    if (isInView) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isInView]);
  const isLive = run.id !== '' && run.id === live?.id;
  const commit = run.commit_id?.slice(0, 7);
  return (
    <li ref={row} className="scroll-mt-20 border-t border-line">
      <div className="flex items-center pr-3 hover:bg-ink/3 max-sm:items-start max-sm:pr-1">
        <RunRow
          run={run}
          panel={panel}
          expanded={expanded}
          onToggle={() => setExpanded(!expanded)}
          isLive={isLive}
          title={
            <>
              <span className="sr-only">{instanceSentence(shown(deploy.name), run, isLive)}</span>
              <span title={run.commit_id ?? undefined} className="font-mono text-sm">
                {shown(commit)}
              </span>
            </>
          }
        />
        <RunMenu deploy={deploy} run={run} live={live} busy={busy} onLog={() => setExpanded(true)} />
      </div>
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
