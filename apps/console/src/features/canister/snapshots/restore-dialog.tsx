import type { Canister, CanisterSnapshot } from '@cannery/contract';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Dialog } from '../../../components/ui/dialog.tsx';
import { describeError } from '../../../lib/describe-error.ts';
import { toast, toastDurations } from '../../../lib/toast-store.ts';
import { isRunning } from '../canister-state.ts';
import { RestartChoice } from './restart-choice.tsx';
import { snapshotName } from './snapshot-name.ts';
import { useRestoreSnapshot } from './use-snapshot-actions.ts';

interface RestoreDialogProps {
  readonly canister: Canister;
  readonly snapshot: CanisterSnapshot;
  readonly onClose: () => void;
}

/** Asks before a canister is put back to a snapshot. */
export function RestoreDialog({ canister, snapshot, onClose }: RestoreDialogProps) {
  const restore = useRestoreSnapshot(canister.id);
  const [restart, setRestart] = useState(true);
  const [running] = useState(() => isRunning(canister));

  const confirm = async (): Promise<void> => {
    try {
      await restore.mutateAsync({ snapshot: snapshot.id, stop: running, restart });
      toast.success('Snapshot restored', { duration: toastDurations.canister });
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
      locked={restore.isPending}
      title="Restore this snapshot?"
      description={
        <>
          <b className="font-semibold text-ink">{canister.name}</b> goes back to {snapshotName(snapshot)}. All
          data written since then is lost; settings and cycles stay as they are.
        </>
      }
      onSubmit={() => void confirm()}
      footer={
        <>
          <Button type="submit" variant="danger" busy={restore.isPending}>
            {running ? 'Stop and restore' : 'Restore'}
          </Button>
          <Button disabled={restore.isPending} onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      {running && <RestartChoice checked={restart} disabled={restore.isPending} onChange={setRestart} />}
    </Dialog>
  );
}
