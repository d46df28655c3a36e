import type { Canister } from '@cannery/contract';
import { CirclePlay, CirclePlus, CircleStop, Tag, X } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../../../components/ui/button.tsx';
import { IconButton } from '../../../components/ui/icon-button.tsx';
import { ProgressBar } from '../../../components/ui/progress-bar.tsx';
import { useStore } from '../../../lib/browser/store.ts';
import { shown } from '../../../lib/text/formats.ts';
import { tagsOf } from '../api/label.ts';
import { createdCanister } from '../create/create-canister-dialog.tsx';
import { TagsDialog } from '../label/tags-dialog.tsx';
import { BulkTopUpDialog } from './bulk-top-up-dialog.tsx';
import { type BulkAction, type BulkRun, bulkWork, countOf, isUnderWay } from './bulk-work.ts';
import { canisterSelection } from './selection.ts';

/** Where Escape has another use: a search is emptied by it, and a list of choices closed. */
const FIELD = 'input:not([type="checkbox"]), textarea, select';

/** Escape takes everything out of the selection, unless a field, a dialog or a menu has a use for it. */
function useEscape(onEscape: () => void, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.matches(FIELD)) return;
      if (document.querySelector('[role="dialog"], [role="menu"]') === null) onEscape();
    };
    // Before a dialog hears it and closes.
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  });
}

interface FailuresProps {
  readonly run: BulkRun;
  readonly canisters: readonly Canister[];
}

/** What has failed, canister by canister. */
function Failures({ run, canisters }: FailuresProps) {
  const names = new Map(canisters.map(({ id, name }) => [id, shown(name)]));
  return (
    <ul aria-label="What has failed" className="max-h-40 overflow-y-auto text-sm">
      {run.failures.map(({ id, reason }) => (
        <li key={id} className="flex flex-wrap gap-x-2 border-b border-line py-1 last:border-0">
          <b className="font-medium wrap-anywhere">{names.get(id) ?? id}</b>
          <span className="text-bad wrap-anywhere">{reason}</span>
        </li>
      ))}
    </ul>
  );
}

interface BulkBarProps {
  /** All of the list, and those of them that are on show, filtered but not cut into pages. */
  readonly canisters: readonly Canister[];
  readonly found: readonly Canister[];
  readonly onBalanceMoved: () => void;
}

function clear(): void {
  bulkWork.close();
  canisterSelection.replace([]);
}

/** What can be done with the canisters that are selected, at the foot of the window while there are any. */
export function BulkBar({ canisters, found, onBalanceMoved }: BulkBarProps) {
  const ids = useStore(canisterSelection);
  const client = useQueryClient();
  const run = useStore(bulkWork);
  const [dialog, setDialog] = useState<'top up' | 'tag'>();
  const selected = ids.size === 0 ? [] : canisters.filter(({ id }) => ids.has(id));
  const isRunning = isUnderWay(run);
  useEffect(
    () => () => {
      if (!isUnderWay(bulkWork.get())) clear();
    },
    [],
  );
  const isUsed = ids.size > 0;
  // One bar at a time: who selects is not about to fill the canister that was just created.
  useEffect(() => {
    if (isUsed) createdCanister.set(undefined);
  }, [isUsed]);
  useEscape(clear, isUsed && !isRunning);
  if (selected.length === 0 && !isRunning) return null;

  const begin = (of: readonly string[], action: BulkAction): void => {
    setDialog(undefined);
    void bulkWork.start(of, action, { client, onBalanceMoved });
  };
  const all = selected.map(({ id }) => id);
  return createPortal(
    <section
      aria-label="Selected canisters"
      data-bar="bottom"
      className="fixed inset-x-0 bottom-[calc(1rem+var(--foot))] z-20 mx-auto flex w-fit max-w-[calc(100vw-2rem)] animate-entrance flex-col gap-2 rounded-card border border-line bg-raised px-4 py-2.5 shadow-float"
    >
      {run?.isOver && <Failures run={run} canisters={canisters} />}
      {run && isRunning ? (
        <div className="flex items-center gap-4">
          <div className="w-64 max-w-[50vw]">
            <ProgressBar
              label={run.text}
              done={run.over / run.total}
              amount={`${run.over} of ${run.total}`}
            />
          </div>
          <Button size="small" onClick={bulkWork.cancel}>
            Stop here
          </Button>
        </div>
      ) : (
        // On a phone what is selected is in the first line, and what can be done in the second.
        <div className="flex flex-wrap items-center gap-2 max-sm:[&>button]:px-2">
          <p
            role="status"
            className="mr-2 text-sm max-sm:-order-1 max-sm:flex-1 max-sm:basis-2/5 font-medium whitespace-nowrap tabular-nums"
          >
            {selected.length} selected
          </p>
          {run?.isOver && (
            <Button
              size="small"
              variant="primary"
              onClick={() =>
                begin(
                  run.failures.map(({ id }) => id),
                  run.action,
                )
              }
            >
              Try again
            </Button>
          )}
          <Button size="small" className="max-sm:flex-1" onClick={() => begin(all, { kind: 'start' })}>
            <CirclePlay className="size-4 max-sm:hidden" />
            Start
          </Button>
          <Button size="small" className="max-sm:flex-1" onClick={() => begin(all, { kind: 'stop' })}>
            <CircleStop className="size-4 max-sm:hidden" />
            Stop
          </Button>
          <Button size="small" className="max-sm:flex-1" onClick={() => setDialog('top up')}>
            <CirclePlus className="size-4 max-sm:hidden" />
            Add Cycles
          </Button>
          <Button size="small" className="max-sm:flex-1" onClick={() => setDialog('tag')}>
            <Tag className="size-4 max-sm:hidden" />
            Tags
          </Button>
          {selected.length < found.length && (
            <Button
              size="small"
              variant="ghost"
              className="max-sm:-order-1"
              onClick={() => canisterSelection.replace(found.map(({ id }) => id))}
            >
              Select all {found.length.toLocaleString('en')}
            </Button>
          )}
          <IconButton
            label={`Select none of ${countOf(selected.length)}`}
            size="small"
            className="max-sm:-order-1"
            onClick={clear}
          >
            <X className="size-4" />
          </IconButton>
        </div>
      )}
      {dialog === 'top up' && (
        <BulkTopUpDialog
          count={all.length}
          onTopUp={(amount) => begin(all, { kind: 'top up', amount })}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'tag' && (
        <TagsDialog
          canisters={selected}
          known={tagsOf(canisters)}
          busy={false}
          onChange={(change) => begin(all, { kind: 'tag', change })}
          onClose={() => setDialog(undefined)}
        />
      )}
    </section>,
    document.body,
  );
}
