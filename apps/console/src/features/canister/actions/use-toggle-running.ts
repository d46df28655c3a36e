import { useCallback } from 'react';
import { nextStepOf, serverText } from '../../../lib/api/api-error.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import type { ToastPlace } from '../../../lib/toasts/toast-table.ts';
import { useSetRunning } from '../api/mutations.ts';

/** Stops a canister that runs, or starts one that does not, and tells how it went. */
export function useToggleRunning(id: string, place: ToastPlace = 'canister') {
  const { mutateAsync, isPending } = useSetRunning(id);
  const toggle = useCallback(
    async (running: boolean): Promise<void> => {
      try {
        await mutateAsync(!running);
        toast.tell(running ? `${place}: stopped` : `${place}: started`);
      } catch (failure) {
        toast.tell(`${place}: not started or stopped`, {
          text: serverText(failure),
          hint: nextStepOf(failure),
        });
      }
    },
    [mutateAsync, place],
  );
  return { toggle, isPending };
}
