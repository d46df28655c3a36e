import type { Canister } from '@cannery/contract';
import { Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { IdText } from '../../../components/ui/id-text.tsx';
import { isLost, nextStepOf, serverText } from '../../../lib/api/api-error.ts';
import { usePublicConfig } from '../../../lib/shared/public-config.ts';
import { cyclesInT, readCycles } from '../../../lib/text/cycles.ts';
import { shown } from '../../../lib/text/formats.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import type { ToastPlace } from '../../../lib/toasts/toast-table.ts';
import { useCanisterLocked, useDeleteCanister } from '../api/mutations.ts';

interface DeleteCanisterDialogProps {
  readonly canister: Canister;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onDeleted: () => void;
  readonly place?: ToastPlace | undefined;
}

/** Asks before a canister and all it holds are deleted. */
function DeleteCanisterDialog({
  canister,
  open,
  onOpenChange,
  onDeleted,
  place = 'canister',
}: DeleteCanisterDialogProps) {
  const remove = useDeleteCanister(canister.id);
  const returnsCycles = usePublicConfig()?.delete_returns_cycles;
  const cycles = cyclesInT(canister.cycles_exact ?? canister.cycles);

  const confirm = async (): Promise<void> => {
    try {
      const { refunded, deleted, message } = await remove.mutateAsync();
      // A service that says nothing of a refund has deleted the canister: its answer was a success.
      const leftBehind = refunded !== null && !deleted;
      const refund = readCycles(refunded) ? `${cyclesInT(refunded)} came back to your account.` : undefined;
      if (leftBehind) toast.tell(`${place}: left the list`, { hint: message ?? undefined });
      else toast.tell(`${place}: deleted`, { hint: refund });
      onOpenChange(false);
      onDeleted();
    } catch (failure) {
      if (!isLost(failure)) onOpenChange(false);
      toast.tell(`${place}: not deleted`, { text: serverText(failure), hint: nextStepOf(failure) });
    }
  };

  return (
    <ActionDialog
      open={open}
      onClose={() => onOpenChange(false)}
      title="Are you sure you want to delete this canister?"
      description="This is irreversible action. All the content of this canister will be deleted."
      action="Delete"
      danger
      busy={remove.isPending}
      onAction={() => void confirm()}
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-card border border-line bg-sunken px-4 py-3 text-sm">
        <dt className="text-muted">Name</dt>
        <dd className="font-medium wrap-anywhere">{shown(canister.name)}</dd>
        <dt className="text-muted">Canister</dt>
        <dd>
          <IdText id={canister.id} of="canister id" />
        </dd>
        <dt className="text-muted">Lost for good</dt>
        <dd>
          Its code, its data and its snapshots
          {returnsCycles === false && (
            <>
              , and the <strong className="font-semibold">{cycles}</strong> of cycles it holds
            </>
          )}
        </dd>
        {returnsCycles === true && (
          <>
            <dt className="text-muted">Comes back</dt>
            <dd>{cycles} of cycles, to your account, less what the deletion itself costs</dd>
          </>
        )}
      </dl>
    </ActionDialog>
  );
}

interface DeleteCanisterButtonProps {
  readonly canister: Canister;
  readonly onDeleted: () => void;
  readonly place?: ToastPlace;
}

/** Delete, possible for exactly the status 'stopped' since it cannot be undone. */
export function DeleteCanisterButton({ canister, onDeleted, place }: DeleteCanisterButtonProps) {
  const hint = useId();
  const [open, setOpen] = useState(false);
  const locked = useCanisterLocked(canister.id);
  const stopped = canister.status === 'stopped';
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        variant="danger"
        disabled={!stopped || locked}
        aria-describedby={stopped ? undefined : hint}
        title={stopped ? undefined : 'Canister must be stopped first.'}
        onClick={() => setOpen(true)}
      >
        <Trash2 className="size-4" />
        Delete
      </Button>
      {!stopped && (
        <span id={hint} className="text-sm text-muted">
          Canister must be stopped first.
        </span>
      )}
      <DeleteCanisterDialog
        canister={canister}
        open={open}
        onOpenChange={setOpen}
        onDeleted={onDeleted}
        place={place}
      />
    </div>
  );
}
