import type { Dapp } from '@cannery/contract';
import { Button } from '../../../components/ui/button.tsx';
import { Dialog } from '../../../components/ui/dialog.tsx';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { dappName } from '../api/dapp-state.ts';
import { useDeleteDapp } from '../api/mutations.ts';
import { FailureNotice } from '../../../components/ui/failure-notice.tsx';

interface DeleteDappDialogProps {
  readonly dapp: Dapp;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

/** Asks before a dapp leaves the marketplace. */
export function DeleteDappDialog({ dapp, onClose, onDeleted }: DeleteDappDialogProps) {
  const remove = useDeleteDapp(dapp.id);
  const confirm = (): void =>
    remove.mutate(undefined, {
      onSuccess: () => {
        toast.tell('dapp: deleted');
        onClose();
        onDeleted?.();
      },
    });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      locked={remove.isPending}
      title={`Delete ${dappName(dapp)}?`}
      description="It leaves the marketplace, and nobody can install it any more. Canisters that have it keep it."
      onSubmit={confirm}
      footer={
        <>
          <Button type="submit" variant="danger" busy={remove.isPending}>
            Delete
          </Button>
          <Button disabled={remove.isPending} onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      {remove.isError ? <FailureNotice title="The dapp was not deleted" error={remove.error} /> : undefined}
    </Dialog>
  );
}
