import type { Registry } from '@cannery/contract';
import { useReducer } from 'react';
import { ActionDialog } from '../../components/ui/action-dialog.tsx';
import { cutMiddle, shown } from '../../lib/text/formats.ts';
import { isLost, serverText } from '../../lib/api/api-error.ts';
import { toast } from '../../lib/toasts/toast-store.ts';
import { useDeleteRegistry } from './registries.ts';
import { deletionStep } from './registry-steps.ts';

interface DeleteRegistryDialogProps {
  readonly registry: Registry;
  readonly onClose: () => void;
}

/** Asks before a registry is deleted. Mounted while it is open. */
export function DeleteRegistryDialog({ registry, onClose }: DeleteRegistryDialogProps) {
  const remove = useDeleteRegistry(registry.id);
  const [step, note] = useReducer(deletionStep, 'open');
  const deleting = step === 'deleting';
  const versions = registry.version ?? 1;

  const cancel = (): void => {
    note('cancelled');
    onClose();
  };
  const confirm = async (): Promise<void> => {
    note('confirmed');
    try {
      await remove.mutateAsync();
      note('succeeded');
      toast.tell('registry: deleted');
    } catch (failure) {
      const isKept = isLost(failure);
      note(isKept ? 'lost' : 'refused');
      toast.tell('registry: not deleted', { text: serverText(failure) });
      if (isKept) return;
    }
    onClose();
  };

  return (
    <ActionDialog
      open={step !== 'closed'}
      onClose={cancel}
      title="Are you sure you want to delete this registry?"
      description="This cannot be undone. Canisters that run its code go on running."
      action="Delete"
      danger
      busy={deleting}
      onAction={() => void confirm()}
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-card border border-line bg-sunken px-4 py-3 text-sm">
        <dt className="text-muted">Name</dt>
        <dd className="font-medium wrap-anywhere">{shown(registry.name)}</dd>
        <dt className="text-muted">Identifier</dt>
        <dd className="font-mono">{cutMiddle(registry.wasm_identifier ?? '', 5, 3)}</dd>
        <dt className="text-muted">Deleted with it</dt>
        <dd>{versions === 1 ? 'its module' : `the modules of its ${versions} versions`}</dd>
      </dl>
    </ActionDialog>
  );
}
