import type { Canister, CanisterSnapshot } from '@cannery/contract';
import { useState } from 'react';
import { shown } from '../../../lib/text/formats.ts';
import { isRunning } from '../api/canister-state.ts';
import { RestartChoice } from './restart-choice.tsx';
import { SnapshotDialog } from './snapshot-dialog.tsx';
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
  // Kept from the opening: the canister is stopped on the way.
  const [running] = useState(() => isRunning(canister));

  return (
    <SnapshotDialog
      title="Restore this snapshot?"
      description={
        <>
          <b className="font-semibold text-ink">{shown(canister.name)}</b> goes back to{' '}
          {snapshotName(snapshot)}. All data written since then is lost; settings and cycles stay as they are.
        </>
      }
      action={running ? 'Stop and restore' : 'Restore'}
      variant="danger"
      busy={restore.isPending}
      run={() => restore.mutateAsync({ snapshot: snapshot.id, stop: running, restart })}
      done="Snapshot restored"
      onClose={onClose}
    >
      {running && <RestartChoice checked={restart} disabled={restore.isPending} onChange={setRestart} />}
    </SnapshotDialog>
  );
}
