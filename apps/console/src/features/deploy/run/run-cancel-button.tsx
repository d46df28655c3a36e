import { deployEndpoints, type DeployInstance } from '@cannery/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { api } from '../../../lib/api/api.ts';
import { serverText } from '../../../lib/api/describe-error.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';

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
      setOpen(false);
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
