import { type Canister, type CanisterSnapshot, MAX_SNAPSHOTS } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Camera, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { IconButton } from '../../../components/ui/icon-button.tsx';
import { IdText } from '../../../components/ui/id-text.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { byteSize } from '../../../lib/text/byte-size.ts';
import { ago, tableDate } from '../../../lib/text/formats.ts';
import { useCanisterLocked } from '../api/mutations.ts';
import { snapshotsQuery } from '../api/queries.ts';
import { RestoreDialog, SnapshotDialog, TakeDialog } from './snapshot-dialogs.tsx';
import { snapshotName, useDeleteSnapshot } from './use-snapshot-actions.ts';

interface DeleteSnapshotDialogProps {
  readonly canister: Canister;
  readonly snapshot: CanisterSnapshot;
  readonly onClose: () => void;
}

/** Asks before a snapshot is deleted. */
function DeleteSnapshotDialog({ canister, snapshot, onClose }: DeleteSnapshotDialogProps) {
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

type Asked =
  | { readonly action: 'take' }
  | { readonly action: 'restore' | 'delete'; readonly snapshot: CanisterSnapshot };

interface SnapshotRowProps {
  readonly snapshot: CanisterSnapshot;
  readonly locked: boolean;
  readonly onAsk: (asked: Asked) => void;
}

function SnapshotRow({ snapshot, locked, onAsk }: SnapshotRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium">
          {tableDate(snapshot.taken_at)}
          <span className="font-normal text-muted"> · {ago(snapshot.taken_at)}</span>
        </p>
        <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
          {byteSize(snapshot.total_size)}
          <IdText id={snapshot.id} of="snapshot id" short />
        </p>
      </div>
      <Button
        size="small"
        disabled={locked}
        aria-label={`Restore the snapshot of ${snapshotName(snapshot)}`}
        onClick={() => onAsk({ action: 'restore', snapshot })}
      >
        <RotateCcw className="size-3.5" />
        Restore
      </Button>
      <IconButton
        label={`Delete the snapshot of ${snapshotName(snapshot)}`}
        disabled={locked}
        onClick={() => onAsk({ action: 'delete', snapshot })}
      >
        <Trash2 className="size-4" />
      </IconButton>
    </li>
  );
}

/** Snapshots of a canister, newest first, with what can be done with them. */
export function CanisterSnapshots({ canister }: { canister: Canister }) {
  const { data, error, isPending, refetch } = useQuery(snapshotsQuery(canister.id));
  const locked = useCanisterLocked(canister.id);
  const [asked, setAsked] = useState<Asked>();
  const close = (): void => setAsked(undefined);
  const take = (
    <Button variant="primary" size="small" disabled={locked} onClick={() => setAsked({ action: 'take' })}>
      <Camera className="size-4" />
      Take snapshot
    </Button>
  );
  return (
    <Card className="animate-entrance">
      <CardHeader
        title="Snapshots"
        note={data && `${data.length} of ${MAX_SNAPSHOTS}`}
        actions={data && data.length > 0 && take}
      />
      {isPending ? (
        <div role="status" aria-label="Loading snapshots" className="flex flex-col gap-4 px-5 pb-5">
          {[0, 1, 2].map((row) => (
            <Skeleton key={row} className="h-11 w-full" />
          ))}
        </div>
      ) : data === undefined ? (
        <ErrorState
          title="The snapshots cannot be shown."
          error={error}
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      ) : data.length === 0 ? (
        <EmptyState
          drawing="canisters"
          title="No snapshot yet"
          hint="A snapshot keeps code and data as they are, so that a failed upgrade can be undone. The canister must be stopped for it."
          action={take}
        />
      ) : (
        <ul>
          {data.map((snapshot) => (
            <SnapshotRow key={snapshot.id} snapshot={snapshot} locked={locked} onAsk={setAsked} />
          ))}
        </ul>
      )}
      {asked?.action === 'take' && <TakeDialog canister={canister} snapshots={data ?? []} onClose={close} />}
      {asked?.action === 'restore' && (
        <RestoreDialog canister={canister} snapshot={asked.snapshot} onClose={close} />
      )}
      {asked?.action === 'delete' && (
        <DeleteSnapshotDialog canister={canister} snapshot={asked.snapshot} onClose={close} />
      )}
    </Card>
  );
}
