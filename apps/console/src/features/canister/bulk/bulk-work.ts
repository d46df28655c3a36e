import type { QueryClient } from '@tanstack/react-query';
import { holdKeys } from '../../../lib/api/ask-once.ts';
import { Store } from '../../../lib/browser/store.ts';
import { authStore } from '../../../lib/session/auth-state.ts';
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
  'top up': { doing: 'Adding cycles to', done: 'topped up' },
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

export const isUnderWay = (run: BulkRun | undefined): boolean => run !== undefined && !run.isOver;

interface BulkParts {
  readonly client: QueryClient;
  readonly onBalanceMoved: () => void;
}

/**
 * Does things to many canisters, one action at a time. It outlives the list: who comes back to it finds what is under way, can stop it,
 * and is told what has failed. It ends with the session in which it began.
 */
class BulkWork {
  readonly #run = new Store<BulkRun | undefined>(undefined);
  #cut = new AbortController();
  /** Ends the promise that a second try of what has got no answer is the same request. */
  #release: (() => void) | undefined;

  readonly subscribe = this.#run.subscribe;

  readonly get = this.#run.get;

  /**
   * Those to which it is done are no longer selected afterwards, so that the same can be tried again with what is left. Does nothing
   * while another action is under way. Never rejects.
   */
  async start(
    ids: readonly string[],
    action: BulkAction,
    { client, onBalanceMoved }: BulkParts,
  ): Promise<void> {
    if (isUnderWay(this.get())) return;
    const cut = new AbortController();
    this.#cut = cut;
    const release = this.#release ?? holdKeys();
    this.#release = release;
    const { doing, done: doneText } = words[action.kind];
    const begun: BulkRun = {
      action,
      text: `${doing} ${countOf(ids.length)}`,
      total: ids.length,
      over: 0,
      failures: [],
      isOver: false,
    };
    this.#run.set(begun);
    const isMine = (): boolean => this.#cut === cut;
    const user = authStore.get().currentUser?.id;
    const unwatch = authStore.subscribe(() => {
      if (isMine() && authStore.get().currentUser?.id !== user) this.#forget();
    });
    const { done, failures } = await runBulk(ids, {
      act: (id) => actOn(client, id, action),
      onProgress: (over) => isMine() && this.#run.set({ ...begun, over }),
      signal: cut.signal,
    });
    unwatch();
    if (!isMine()) return;
    void client.invalidateQueries({ queryKey: queryKeys.canisters });
    if (action.kind === 'top up' && done.length > 0) onBalanceMoved();
    const gone = new Set(done);
    canisterSelection.replace([...canisterSelection.get()].filter((id) => !gone.has(id)));
    if (failures.length === 0) this.close();
    else this.#run.set({ ...begun, over: ids.length, failures, isOver: true });
    if (failures.length > 0)
      toast.tell('canisters: not all done', {
        text: `${failures.length} of ${countOf(ids.length)} not ${doneText}`,
      });
    else if (done.length > 0)
      toast.tell('canisters: all done', { text: `${countOf(done.length)} ${doneText}` });
  }

  /** Begins nothing more; what is not begun stays selected. */
  readonly cancel = (): void => this.#cut.abort();

  /** Forgets what has failed. */
  readonly close = (): void => {
    this.#release?.();
    this.#release = undefined;
    this.#run.set(undefined);
  };

  /** Stops for somebody whose session is over; whoever signs in next is told nothing of it. */
  #forget(): void {
    this.#cut.abort();
    this.#cut = new AbortController();
    canisterSelection.replace([]);
    this.close();
  }
}

/** What this tab does to the canisters that are selected. */
export const bulkWork = new BulkWork();
