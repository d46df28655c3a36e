import type { Canister } from '@cannery/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { nextStepOf, serverText } from '../../../lib/api/api-error.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { changeTags, type TagChange } from '../api/label.ts';
import { TagsDialog } from './tags-dialog.tsx';

interface CanisterTagsDialogProps {
  readonly canister: Canister;
  /** Tags that are in use. */
  readonly known: readonly string[];
  readonly onClose: () => void;
}

/** Changes the tags of one canister. A change that is refused stays in the dialog, with the reason. */
export function CanisterTagsDialog({ canister, known, onClose }: CanisterTagsDialogProps) {
  const client = useQueryClient();
  const save = useMutation({ mutationFn: (change: TagChange) => changeTags(client, canister.id, change) });
  const submit = async (change: TagChange): Promise<void> => {
    try {
      await save.mutateAsync(change);
      toast.tell('canister: tags saved');
      onClose();
    } catch (failure) {
      toast.tell('canister: tags not saved', { text: serverText(failure), hint: nextStepOf(failure) });
    }
  };
  return (
    <TagsDialog
      canisters={[canister]}
      known={known}
      busy={save.isPending}
      failure={save.error}
      onChange={(change) => void submit(change)}
      onClose={onClose}
    />
  );
}
