import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { CloudOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { useStore } from '../../lib/browser/store.ts';
import { connection, watchConnection } from '../../lib/connection/this-connection.ts';
import { clockTime } from '../../lib/text/formats.ts';

function TryNow() {
  const [asks, setAsks] = useState(false);
  const ask = async (): Promise<void> => {
    setAsks(true);
    await connection.check();
    setAsks(false);
  };
  return (
    <Button size="small" busy={asks} onClick={() => void ask()}>
      Try now
    </Button>
  );
}

/** Fetches all that is on show again as soon as the service is back. */
function useRefreshWhenBack(): void {
  const client = useQueryClient();
  const router = useRouter();
  useEffect(
    () =>
      connection.subscribe(() => {
        if (connection.get().is === 'lost') return;
        void client.invalidateQueries();
        // What a route has loaded, and one whose code did not arrive.
        void router.invalidate();
      }),
    [client, router],
  );
}

/**
 * Says that the service cannot be reached, since when what is on show may not be so any more, and that it is being tried again. At the
 * lower end of the window, over the page, so that nothing moves; `--foot` keeps what else stands there above it.
 */
export function ConnectionBar() {
  const state = useStore(connection);
  const isLost = state.is === 'lost';
  useEffect(watchConnection, []);
  useRefreshWhenBack();
  const seenAt = isLost && state.seenAt !== undefined ? new Date(state.seenAt).toISOString() : undefined;
  return (
    <div
      data-testid="connection-bar"
      data-lost={isLost || undefined}
      className={
        isLost
          ? 'fixed inset-x-0 bottom-0 z-20 flex h-(--foot) items-center justify-center gap-x-3 border-t border-warn/40 bg-warn-soft px-4 text-warn'
          : undefined
      }
    >
      {isLost && <CloudOff className="size-4 shrink-0" aria-hidden="true" />}
      {/* There before it has a text, so that the text is announced; it does not change while there is no connection. */}
      <p aria-live="polite" className="text-sm text-pretty">
        {isLost && (
          <>
            <strong className="font-semibold">No connection.</strong>{' '}
            {seenAt !== undefined && (
              <>
                What you see is of <time dateTime={seenAt}>{clockTime(seenAt)}</time>.{' '}
              </>
            )}
            Trying again ...
          </>
        )}
      </p>
      {isLost && <TryNow />}
    </div>
  );
}
