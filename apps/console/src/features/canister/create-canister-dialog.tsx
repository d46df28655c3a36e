import { createCanisterForm } from '@cannery/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { TextField } from '../../components/ui/text-field.tsx';
import { badRequestText, serverText } from '../../lib/describe-error.ts';
import { toast, toastDurations } from '../../lib/toast-store.ts';
import { useCreateCanister } from './mutations.ts';

interface CreateCanisterDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onCreated: () => void;
  /** Which presentation of the list asks; wordings and error rule differ. */
  readonly presentation: 'table' | 'grid';
}

/** Asks for a name and creates a canister; closes and resets after every attempt. */
export function CreateCanisterDialog({
  open,
  onOpenChange,
  onCreated,
  presentation,
}: CreateCanisterDialogProps) {
  const create = useCreateCanister();
  const { register, handleSubmit, reset, formState } = useForm({
    resolver: zodResolver(createCanisterForm),
    defaultValues: { name: '' },
    mode: 'onChange',
  });
  const error = formState.errors.name?.message;

  const close = (): void => {
    onOpenChange(false);
    reset();
  };

  const submit = handleSubmit(async ({ name }) => {
    const duration = presentation === 'table' ? toastDurations.canister : toastDurations.snackbar;
    try {
      await create.mutateAsync(name);
      toast.success(presentation === 'table' ? 'Canister created!' : 'Canister Created!', { duration });
      onCreated();
    } catch (failure) {
      const text = presentation === 'table' ? badRequestText(failure) : serverText(failure);
      toast.error(text, { duration });
    }
    close();
  });

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(true) : close())}
      locked={create.isPending}
      title="Create Canister"
      description="A canister is paid for from the cycle balance of your account."
      onSubmit={() => void submit()}
      footer={
        <>
          <Button type="submit" variant="primary" busy={create.isPending} disabled={error !== undefined}>
            Create
          </Button>
          <Button disabled={create.isPending} onClick={close}>
            Cancel
          </Button>
        </>
      }
    >
      <TextField label="Name" error={error} disabled={create.isPending} {...register('name')} />
    </Dialog>
  );
}
