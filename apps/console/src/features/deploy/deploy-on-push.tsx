import type { Deploy } from '@cannery/contract';
import { useState } from 'react';
import { Card } from '../../components/ui/card.tsx';
import { badRequestText } from '../../lib/describe-error.ts';
import { toast, toastDurations } from '../../lib/toast-store.ts';
import { useDeployOnPush } from './mutations.ts';

/** Whether a push of its branch starts a run of the deploy; saved at once. */
export function DeployOnPush({ deploy }: { deploy: Deploy }) {
  const save = useDeployOnPush(deploy);
  // Set in the event itself: the state of the mutation comes a moment later, and the box would jump back for it.
  const [wanted, setWanted] = useState<boolean>();
  const change = async (onPush: boolean): Promise<void> => {
    setWanted(onPush);
    try {
      await save.mutateAsync(onPush);
      toast.success('Updated successfully.', { duration: toastDurations.deploy });
    } catch (failure) {
      toast.error(badRequestText(failure), { duration: toastDurations.deploy });
    } finally {
      setWanted(undefined);
    }
  };
  return (
    <Card className="max-w-2xl animate-entrance px-5 py-4">
      <label className="flex cursor-pointer gap-2.5">
        <input
          type="checkbox"
          checked={wanted ?? deploy.on_push}
          disabled={wanted !== undefined}
          onChange={(event) => void change(event.target.checked)}
          className="mt-1 size-4 shrink-0 accent-accent"
        />
        <span>
          <span className="font-medium">Deploy on push</span>
          <span className="block text-sm text-muted">
            A push to <span className="font-mono wrap-anywhere">{deploy.branch}</span> starts a run, and git
            shows where to watch it.
          </span>
        </span>
      </label>
    </Card>
  );
}
