import { useCallback, useRef } from 'react';
import { isLost, saidOf } from '../../../lib/api/api-error.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { useTrigger } from '../api/mutations.ts';

/** Starts a run of a deploy and tells how it went. */
export function useStartRun(deployId: string, onStarted: () => void) {
  const { mutateAsync, isPending } = useTrigger(deployId);
  // One press, one run: the button is disabled only with the next picture.
  const starting = useRef(false);
  /**
   * @param canisters names of those that the run is limited to; none for the whole project
   * @returns whether the service has answered, also with a refusal
   */
  const start = useCallback(
    async (canisters: readonly string[] = []): Promise<boolean> => {
      if (starting.current) return true;
      starting.current = true;
      try {
        await mutateAsync(canisters);
        onStarted();
        toast.tell('deploy: started');
        return true;
      } catch (failure) {
        toast.tell('deploy: not started', { hint: saidOf(failure) });
        return !isLost(failure);
      } finally {
        starting.current = false;
      }
    },
    [mutateAsync, onStarted],
  );
  return { start, isPending };
}
