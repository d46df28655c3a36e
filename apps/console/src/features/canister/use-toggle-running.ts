import { useCallback } from 'react';
import { nextStepOf, serverText } from '../../lib/describe-error.ts';
import { toast, toastDurations } from '../../lib/toast-store.ts';
import { useSetRunning } from './mutations.ts';

/** Stops a canister that runs, or starts one that does not, and tells how it went. @param duration of the message, in milliseconds */
export function useToggleRunning(id: string, duration: number = toastDurations.canister) {
  const { mutateAsync, isPending } = useSetRunning(id);
  const toggle = useCallback(
    async (running: boolean): Promise<void> => {
      try {
        await mutateAsync(!running);
        toast.success(running ? 'Canister stopped' : 'Canister started', { duration });
      } catch (failure) {
        toast.error(serverText(failure), { duration, hint: nextStepOf(failure) });
      }
    },
    [mutateAsync, duration],
  );
  return { toggle, isPending };
}
