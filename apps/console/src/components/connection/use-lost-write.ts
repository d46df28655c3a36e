import { useState } from 'react';
import { useStore } from '../../lib/browser/store.ts';
import { type LostWrite, lostWrites } from '../../lib/connection/lost-writes.ts';

interface Sender {
  /** Whether what was sent is under way. */
  readonly busy: boolean;
  /** For a dialog: one that opens again knows nothing of what was lost before. */
  readonly open?: boolean;
}

/**
 * Whether what a dialog or form has sent got no answer. All that is lost from `sent` until it is not busy any more is taken for its own:
 * nothing else is sent from a page with an open dialog, and a form that is lost with another one has no connection either.
 */
export function useLostWrite({ busy, open = true }: Sender): {
  readonly lost: LostWrite | undefined;
  readonly sent: () => void;
} {
  const last = useStore(lostWrites);
  /** The last one that was lost before this was sent; undefined while nothing is, and after an answer. */
  const [before, setBefore] = useState<number>();
  const [was, setWas] = useState({ busy, open });
  const lost = before !== undefined && last.number > before ? last : undefined;
  if (was.busy !== busy || was.open !== open) {
    setWas({ busy, open });
    const isAnswered = was.busy && !busy && lost === undefined;
    if (isAnswered || was.open !== open) setBefore(undefined);
  }
  return { lost: busy ? undefined : lost, sent: () => setBefore(lostWrites.get().number) };
}
