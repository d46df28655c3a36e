import type { LiveSubject } from '@cannery/contract';
import { matchQuery, type Query, type QueryClient } from '@tanstack/react-query';
import { outdatedBy } from './outdated-keys.ts';

/** Changes that come so close together ask for an answer once, in milliseconds. */
const GATHER_MS = 100;
/**
 * What everybody is told at the same moment is asked for at some moment of this time, in milliseconds, so that all open pages do not
 * ask at once.
 */
const SPREAD_MS = 3_000;

/** Asks again for what is shown when it is old, and marks as old what is not shown. */
export interface Outdater {
  /** Something has changed. */
  take(subjects: readonly LiveSubject[]): void;
  stop(): void;
}

interface Pending {
  readonly subject: LiveSubject;
  /** When it was told, in milliseconds since 1970. */
  readonly at: number;
}

interface OutdaterParts {
  readonly client: QueryClient;
  /** Whether nobody sees the page. It asks for nothing then, and for what is old as soon as it is seen. */
  readonly isHidden: () => boolean;
  readonly random?: () => number;
}

export function createOutdater({ client, isHidden, random = Math.random }: OutdaterParts): Outdater {
  const pending = new Map<string, Pending>();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  /** Whether what everybody is told of is going to be asked for: that answer knows of all that has changed until then. */
  let isSpread = false;
  /** When an answer was last asked for. One that was asked for later than a change knows of it. */
  const askedAt = new WeakMap<Query, number>();
  const unwatch = client.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'fetch') askedAt.set(event.query, Date.now());
  });

  function isOld(query: Query, { subject, at }: Pending): boolean {
    if ((askedAt.get(query) ?? 0) >= at) return false;
    return outdatedBy(subject).some(
      ({ key, exact = false, isKept }) =>
        matchQuery({ queryKey: key, exact }, query) && isKept?.(query.state.data) !== true,
    );
  }

  function flush(): void {
    const all = [...pending.values()];
    pending.clear();
    void client.invalidateQueries({
      predicate: (query) => all.some((one) => isOld(query, one)),
      refetchType: isHidden() ? 'none' : 'active',
    });
  }

  function later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
  }

  function add(subject: LiveSubject): void {
    if (pending.size === 0) later(GATHER_MS, flush);
    pending.set(JSON.stringify(subject), { subject, at: Date.now() });
  }

  function spread(subject: LiveSubject): void {
    if (isSpread) return;
    isSpread = true;
    later(random() * SPREAD_MS, () => {
      isSpread = false;
      add(subject);
    });
  }

  return {
    take(subjects) {
      for (const subject of subjects) {
        if (subject.kind === 'dapps') spread(subject);
        else add(subject);
      }
    },
    stop() {
      unwatch();
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      pending.clear();
    },
  };
}
