import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { changeTags, type TagChange } from '../api/label.ts';
import { setRunningOf, topUpOf } from '../api/mutations.ts';
import { type BulkFailure, runBulk } from './run-bulk.ts';
import { canisterSelection } from './selection.ts';

/** What can be done to many canisters at once. */
export type BulkAction =
  | { readonly kind: 'start' | 'stop' }
  | { readonly kind: 'top up'; readonly amount: number }
  | { readonly kind: 'tag'; readonly change: TagChange };

/** What is said of each action: while it runs, and of those that are done. */
const words = {
  start: { doing: 'Starting', done: 'started' },
  stop: { doing: 'Stopping', done: 'stopped' },
  'top up': { doing: 'Adding cycles', done: 'topped up' },
  tag: { doing: 'Tagging', done: 'tagged' },
} as const;

function actOn(client: QueryClient, id: string, action: BulkAction): Promise<void> {
  switch (action.kind) {
    case 'start':
    case 'stop':
      return setRunningOf(client, id, action.kind === 'start');
    case 'top up':
      return topUpOf(client, id, action.amount);
    case 'tag':
      return changeTags(client, id, action.change);
  }
}

export const countOf = (count: number): string => `${count} ${count === 1 ? 'canister' : 'canisters'}`;

/** An action that is under way, or of which something has failed. */
export interface BulkRun {
  readonly action: BulkAction;
  /** Such as 'Stopping 12 canisters'. */
  readonly text: string;
  readonly total: number;
  readonly over: number;
  readonly failures: readonly BulkFailure[];
  readonly isOver: boolean;
}

/**
 * Does things to many canisters. Those to which it is done are no longer selected afterwards, so that the same can be tried again with
 * what is left.
 */
export function useBulk({ onBalanceMoved }: { readonly onBalanceMoved: () => void }) {
  const client = useQueryClient();
  const [run, setRun] = useState<BulkRun>();
  const cut = useRef<AbortController>(undefined);

  const start = async (ids: readonly string[], action: BulkAction): Promise<void> => {
    const { signal } = (cut.current = new AbortController());
    const { doing, done: doneText } = words[action.kind];
    const begun: BulkRun = {
      action,
      text: `${doing} ${countOf(ids.length)}`,
      total: ids.length,
      over: 0,
      failures: [],
      isOver: false,
    };
    setRun(begun);
    const { done, failures } = await runBulk(ids, {
      act: (id) => actOn(client, id, action),
      onProgress: (over) => setRun({ ...begun, over }),
      signal,
    });
    void client.invalidateQueries({ queryKey: queryKeys.canisters });
    if (action.kind === 'top up' && done.length > 0) onBalanceMoved();
    const gone = new Set(done);
    canisterSelection.replace([...canisterSelection.get()].filter((id) => !gone.has(id)));
    setRun(failures.length === 0 ? undefined : { ...begun, over: ids.length, failures, isOver: true });
    if (failures.length > 0)
      toast.tell('canisters: not all done', {
        text: `${failures.length} of ${countOf(ids.length)} not ${doneText}`,
      });
    else if (done.length > 0)
      toast.tell('canisters: all done', { text: `${countOf(done.length)} ${doneText}` });
  };

  return {
    run,
    start,
    /** Begins nothing more; what is not begun stays selected. */
    cancel: () => cut.current?.abort(),
    close: () => setRun(undefined),
  };
}
