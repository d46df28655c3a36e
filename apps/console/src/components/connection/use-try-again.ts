import { useEffect, useState } from 'react';
import { useStore } from '../../lib/browser/store.ts';
import { connection } from '../../lib/connection/this-connection.ts';

/** What browsers say of a part of the program that did not arrive. */
const NOT_LOADED = /dynamically imported module|module script failed|Importing a module script/i;

/** Whether a failure is that of a part of the program that did not arrive. */
export function isNotLoaded(error: unknown): boolean {
  return NOT_LOADED.test(error instanceof Error ? error.message : String(error));
}

/**
 * A second try of what has failed on the page. While the service is away nothing is tried: the browser would put its own error page in the
 * place of this one.
 * @param onBack what is done by itself when the service is back, where a part of the program did not arrive
 */
export function useTryAgain(
  error: unknown,
  onBack: () => void,
): {
  readonly again: () => Promise<void>;
  readonly isAsking: boolean;
  /** The service cannot be reached. */
  readonly isAway: boolean;
} {
  const isAway = useStore(connection).is === 'lost';
  const [isAsking, setAsking] = useState(false);
  const canWait = isNotLoaded(error);

  useEffect(() => {
    if (!canWait) return;
    return connection.subscribe(() => {
      if (connection.get().is === 'there') onBack();
    });
  }, [canWait, onBack]);

  const again = async (): Promise<void> => {
    setAsking(true);
    // The service is there, and what did not arrive may be gone with an earlier version of the console: the page is loaded as it is now.
    if (await connection.check()) location.reload();
    else setAsking(false);
  };
  return { again, isAsking, isAway };
}
