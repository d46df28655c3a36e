import { type Canister, type CanisterSnapshot, MAX_SNAPSHOTS } from '@cannery/contract';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Dialog } from '../../../components/ui/dialog.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { describeError } from '../../../lib/describe-error.ts';
import { toast, toastDurations } from '../../../lib/toast-store.ts';
import { isRunning } from '../canister-state.ts';
import { RestartChoice } from './restart-choice.tsx';
import { snapshotName } from './snapshot-name.ts';
import { useTakeSnapshot } from './use-snapshot-actions.ts';

interface TakeDialogProps {
  readonly canister: Canister;
  readonly snapshots: readonly CanisterSnapshot[];
  readonly onClose: () => void;
}

/** Takes a snapshot; stops the canister for it, and replaces a snapshot when there is no room for one more. */
export function TakeDialog({ canister, snapshots, onClose }: TakeDialogProps) {
  const take = useTakeSnapshot(canister.id);
  const [restart, setRestart] = useState(true);
  // Kept from the opening: the canister is stopped on the way.
  const [running] = useState(() => isRunning(canister));
  const full = snapshots.length >= MAX_SNAPSHOTS;
  const [replace, setReplace] = useState(snapshots.at(-1)?.id ?? '');

  const confirm = async (): Promise<void> => {
    try {
      await take.mutateAsync({ stop: running, restart, replace: full ? replace : undefined });
      toast.success('Snapshot taken', { duration: toastDurations.canister });
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
      locked={take.isPending}
      title="Take a snapshot"
      description="Keeps the canister's code and data as they are now, to go back to later. It takes up storage that the canister pays for."
      onSubmit={() => void confirm()}
      footer={
        <>
          <Button type="submit" variant="primary" busy={take.isPending}>
            {running ? 'Stop and take snapshot' : 'Take snapshot'}
          </Button>
          <Button disabled={take.isPending} onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      {running && <RestartChoice checked={restart} disabled={take.isPending} onChange={setRestart} />}
      {full && (
        <Select
          label="Replace this snapshot"
          hint={`A canister has at most ${MAX_SNAPSHOTS} snapshots; the chosen one is lost.`}
          options={snapshots.map((snapshot) => ({ value: snapshot.id, label: snapshotName(snapshot) }))}
          value={replace}
          disabled={take.isPending}
          onChange={setReplace}
        />
      )}
    </Dialog>
  );
}
