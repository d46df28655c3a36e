import type { Canister, CanisterSnapshot } from '@cannery/contract';
import { Button } from '../../../components/ui/button.tsx';
import { Dialog } from '../../../components/ui/dialog.tsx';
import { describeError } from '../../../lib/describe-error.ts';
import { toast, toastDurations } from '../../../lib/toast-store.ts';
import { snapshotName } from './snapshot-name.ts';
import { useDeleteSnapshot } from './use-snapshot-actions.ts';

interface DeleteSnapshotDialogProps {
  readonly canister: Canister;
  readonly snapshot: CanisterSnapshot;
  readonly onClose: () => void;
}

/** Asks before a snapshot is deleted. */
export function DeleteSnapshotDialog({ canister, snapshot, onClose }: DeleteSnapshotDialogProps) {
  const remove = useDeleteSnapshot(canister.id);

  const confirm = async (): Promise<void> => {
    try {
      await remove.mutateAsync(snapshot.id);
      toast.success('Snapshot deleted', { duration: toastDurations.canister });
    } catch (failure) {
      const { reason, nextStep } = describeError(failure);
      toast.error(reason, { hint: nextStep });
    }
    onClose();
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      locked={remove.isPending}
      title="Delete this snapshot?"
      description={`The snapshot of ${snapshotName(snapshot)} is lost for good. The canister itself stays as it is.`}
      onSubmit={() => void confirm()}
      footer={
        <>
          <Button type="submit" variant="danger" busy={remove.isPending}>
            Delete snapshot
          </Button>
          <Button disabled={remove.isPending} onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    />
  );
}
