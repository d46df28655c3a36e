import { type Canister, type CanisterSnapshot, MAX_SNAPSHOTS } from '@cannery/contract';
import { useState } from 'react';
import { Select } from '../../../components/ui/select.tsx';
import { isRunning } from '../api/canister-state.ts';
import { RestartChoice } from './restart-choice.tsx';
import { SnapshotDialog } from './snapshot-dialog.tsx';
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

  return (
    <SnapshotDialog
      title="Take a snapshot"
      description="Keeps the canister's code and data as they are now, to go back to later. It takes up storage that the canister pays for."
      action={running ? 'Stop and take snapshot' : 'Take snapshot'}
      variant="primary"
      busy={take.isPending}
      run={() => take.mutateAsync({ stop: running, restart, replace: full ? replace : undefined })}
      done="Snapshot taken"
      onClose={onClose}
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
    </SnapshotDialog>
  );
}
