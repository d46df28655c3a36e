import type { Canister, CanisterSnapshot } from '@cannery/contract';
import { SnapshotDialog } from './snapshot-dialog.tsx';
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
  return (
    <SnapshotDialog
      title="Delete this snapshot?"
      description={`The snapshot of ${snapshotName(snapshot)} is lost for good. The canister itself stays as it is.`}
      action="Delete snapshot"
      variant="danger"
      busy={remove.isPending}
      run={() => remove.mutateAsync(snapshot.id)}
      done="Snapshot deleted"
      onClose={onClose}
    />
  );
}
