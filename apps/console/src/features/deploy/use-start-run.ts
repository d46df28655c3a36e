import { useCallback, useRef } from 'react';
import { toast, toastDurations } from '../../lib/toast-store.ts';
import { useTrigger } from './mutations.ts';

const duration = toastDurations.deploy;

/** Starts a run of a deploy and tells how it went. */
export function useStartRun(deployId: string, onStarted: () => void) {
  const { mutateAsync, isPending } = useTrigger(deployId);
  // One press, one run: the button is disabled only with the next picture.
  const starting = useRef(false);
  const start = useCallback(async (): Promise<void> => {
    if (starting.current) return;
    starting.current = true;
    try {
      await mutateAsync();
      onStarted();
      toast.success('Deployment Started!', { duration });
    } catch {
      toast.error('Failed! Could not trigger deploy', { duration });
    } finally {
      starting.current = false;
    }
  }, [mutateAsync, onStarted]);
  return { start, isPending };
}
