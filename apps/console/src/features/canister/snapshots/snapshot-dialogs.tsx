import { type Canister, type CanisterSnapshot, MAX_SNAPSHOTS } from '@cannery/contract';
import { type ReactNode, useState } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { describeError, isLost } from '../../../lib/api/api-error.ts';
import { shown } from '../../../lib/text/formats.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { isRunning } from '../api/canister-state.ts';
import { snapshotName, useRestoreSnapshot, useTakeSnapshot } from './use-snapshot-actions.ts';

interface SnapshotDialogProps {
  readonly title: string;
  readonly description: ReactNode;
  /** What the button says that starts the action. */
  readonly action: string;
  readonly variant: 'primary' | 'danger';
  /** The action is running. */
  readonly busy: boolean;
  readonly run: () => Promise<unknown>;
  /** What the toast says when it succeeded. */
  readonly done: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** Asks before an action on a snapshot; closes when it has ended, and tells how in a toast; without an answer it stays. */
export function SnapshotDialog(props: SnapshotDialogProps) {
  const { title, description, action, variant, busy, run, done, onClose, children } = props;

  const confirm = async (): Promise<void> => {
    try {
      await run();
      toast.tell('snapshot: done', { text: done });
    } catch (failure) {
      const { reason, nextStep } = describeError(failure);
      toast.tell('snapshot: not done', { text: reason, hint: nextStep });
      if (isLost(failure)) return;
    }
    onClose();
  };

  return (
    <ActionDialog
      onClose={onClose}
      title={title}
      description={description}
      action={action}
      danger={variant === 'danger'}
      busy={busy}
      onAction={() => void confirm()}
    >
      {children}
    </ActionDialog>
  );
}

interface RestartChoiceProps {
  readonly checked: boolean;
  readonly disabled: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** Tells that the canister is stopped for the action, and asks whether it runs again afterwards. */
function RestartChoice({ checked, disabled, onChange }: RestartChoiceProps) {
  return (
    <div className="rounded-card border border-line bg-sunken px-4 py-3">
      <p className="text-sm">
        The canister runs. It must be stopped for this and answers no calls meanwhile; open calls are finished
        first.
      </p>
      <label className="mt-2 flex cursor-pointer items-center gap-2 text-sm font-medium">
        <input
          type="checkbox"
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
          className="size-4 accent-accent"
        />
        Start it again afterwards
      </label>
    </div>
  );
}

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
