import { type Canister, createCanisterForm } from '@cannery/contract';
import { useState } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { FailureNotice } from '../../../components/ui/failure-notice.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { nextStepOf, serverText } from '../../../lib/api/api-error.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { useRename } from '../api/label.ts';

interface RenameDialogProps {
  readonly canister: Canister;
  readonly onClose: () => void;
}

/** Asks for another name of a canister, by the rules of a creation. What is refused can be put right: the dialog stays, with the reason. */
export function RenameDialog({ canister, onClose }: RenameDialogProps) {
  const rename = useRename(canister.id);
  const [name, setName] = useState(canister.name ?? '');
  const [tried, setTried] = useState(false);
  const checked = createCanisterForm.safeParse({ name });
  const error = checked.success ? undefined : checked.error.issues[0]?.message;

  const submit = async (): Promise<void> => {
    if (rename.isPending) return;
    setTried(true);
    if (error !== undefined) return;
    if (name.trim() === canister.name) {
      onClose();
      return;
    }
    try {
      await rename.mutateAsync(name);
      toast.tell('canister: renamed');
      onClose();
    } catch (failure) {
      toast.tell('canister: not renamed', { text: serverText(failure), hint: nextStepOf(failure) });
    }
  };

  return (
    <ActionDialog
      onClose={onClose}
      title="Rename canister"
      description="The name is shown in the console. The canister and its address stay as they are."
      action="Rename"
      busy={rename.isPending}
      onAction={() => void submit()}
    >
      <TextField
        label="Name"
        value={name}
        error={tried || name === '' ? error : undefined}
        disabled={rename.isPending}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ target }) => setName(target.value)}
      />
      {rename.error !== null && <FailureNotice title="The canister was not renamed" error={rename.error} />}
    </ActionDialog>
  );
}
