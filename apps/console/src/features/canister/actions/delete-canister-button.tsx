import type { Canister } from '@cannery/contract';
import { Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import type { ToastPlace } from '../../../lib/toasts/toast-table.ts';
import { DeleteCanisterDialog } from './delete-canister-dialog.tsx';
import { useCanisterLocked } from '../api/mutations.ts';

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
