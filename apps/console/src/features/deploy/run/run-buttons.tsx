import { deployEndpoints, type DeployInstance, PUBLISH_ANYWAY_STEP } from '@cannery/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { isLost, serverText } from '../../../lib/api/api-error.ts';
import { api } from '../../../lib/api/api.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { usePublishAnyway } from '../api/mutations.ts';

/**
 * Publishes what a run has built and was refused for its interface, after repeating what breaks.
 * @param reason why the run failed, as its log says it
 */
export function PublishAnywayButton({ run, reason }: { run: DeployInstance; reason: string }) {
  const [open, setOpen] = useState(false);
  const publish = usePublishAnyway(run);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Publish anyway
      </Button>
      <ActionDialog
        open={open}
        onClose={() => setOpen(false)}
        title="Publish it although callers may fail?"
        description="What this run has built is published as it is. Nothing is built again; data of canisters stays."
        action="Publish"
        keep="Keep what is live"
        busy={publish.isPending}
        onAction={() =>
          publish.mutate(undefined, { onSettled: (_run, failure) => isLost(failure) || setOpen(false) })
        }
      >
        {/* The next step of the log is the dialog itself. */}
        <p className="text-sm wrap-anywhere">{reason.replace(PUBLISH_ANYWAY_STEP, '').trim()}</p>
      </ActionDialog>
    </>
  );
}

/** Cancels a run, after asking. */
export function CancelRunButton({ run }: { run: DeployInstance }) {
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const { id: instanceId, deploy_id: deployId } = run;
  const id = deployId ?? '';
  const cancel = useMutation({
    mutationFn: () => api.call(deployEndpoints.cancel, { params: { id, instanceId } }),
    onSuccess: () => {
      setOpen(false);
      toast.tell('deploy: run being cancelled');
      return client.invalidateQueries({ queryKey: queryKeys.instance(id, instanceId), exact: true });
    },
    onError: (failure) => {
      if (!isLost(failure)) setOpen(false);
      toast.tell('deploy: run not cancelled', { text: serverText(failure) });
    },
  });
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Cancel
      </Button>
      <ActionDialog
        open={open}
        onClose={() => setOpen(false)}
        title="Cancel this run?"
        description="The build stops. What an earlier run has published stays live."
        action="Cancel the run"
        keep="Keep it running"
        danger
        busy={cancel.isPending}
        onAction={() => cancel.mutate()}
      />
    </>
  );
}
