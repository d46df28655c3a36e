import { createCanisterForm } from '@cannery/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { findListed, useFocusOfNew } from '../../../components/focus/focus-when-there.ts';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { badRequestText, isLost, serverText } from '../../../lib/api/api-error.ts';
import { Store } from '../../../lib/browser/store.ts';
import { usePublicConfig } from '../../../lib/shared/public-config.ts';
import { cyclesInT, readCycles } from '../../../lib/text/cycles.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { useCreateCanister } from '../api/mutations.ts';
import { BalanceAfter } from '../payment/balance-after.tsx';
import { RegistryPicker } from './registry-picker.tsx';

/**
 * The canister that was created last, until what to do with it next is chosen or waved away. Canisters are created from the list and
 * from the palette; the list tells what comes next.
 */
export const createdCanister = new Store<string | undefined>(undefined);

interface CreateCanisterDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onCreated: () => void;
  /** Which presentation of the list asks; wordings and error rule differ. */
  readonly presentation: 'table' | 'grid';
  /** A module that is installed in it next: it gives the name, and takes the place of a registry. */
  readonly file?: File;
}

/** What a canister of a module is called first: as its file, without ending. */
function nameOf(file: File | undefined): string {
  return file === undefined ? '' : file.name.replace(/\.[^.]*$/, '').slice(0, 50);
}

/** Asks for a name, and perhaps for a registry, and creates a canister; closes and resets after every attempt that was answered. */
export function CreateCanisterDialog({
  open,
  onOpenChange,
  onCreated,
  presentation,
  file,
}: CreateCanisterDialogProps) {
  const create = useCreateCanister();
  const { register, handleSubmit, reset, formState } = useForm({
    resolver: zodResolver(createCanisterForm),
    defaultValues: { name: nameOf(file) },
    mode: 'onChange',
  });
  const [registry, setRegistry] = useState<string>();
  const focus = useFocusOfNew();
  const cost = readCycles(usePublicConfig()?.canister_create_cost);
  const error = formState.errors.name?.message;

  const close = (): void => {
    onOpenChange(false);
    reset();
    setRegistry(undefined);
  };

  const submit = handleSubmit(async ({ name }) => {
    const place = presentation === 'table' ? 'canister' : 'drawer';
    focus.begin();
    try {
      const created = await create.mutateAsync({ name, registry });
      createdCanister.set(created?.id);
      toast.tell(`${place}: created`);
      onCreated();
      if (created !== undefined) focus.take(() => findListed(created.id));
    } catch (failure) {
      const text = presentation === 'table' ? badRequestText(failure) : serverText(failure);
      toast.tell(`${place}: not created`, { text });
      if (isLost(failure)) return;
    }
    close();
  });

  return (
    <ActionDialog
      open={open}
      onClose={() => {
        focus.begin();
        close();
      }}
      title="Create Canister"
      description={
        <>
          {cost === undefined
            ? 'A canister is paid for from the cycle balance of your account.'
            : `A canister costs ${cyclesInT(`${cost}`)}, paid from the cycle balance of your account.`}
          {file && (
            <>
              {' '}
              Then <b className="font-semibold break-all text-ink">{file.name}</b> is checked and installed in
              it.
            </>
          )}
        </>
      }
      action="Create"
      busy={create.isPending}
      disabled={error !== undefined}
      onAction={() => void submit()}
      givesBack={focus.givesBack}
    >
      <TextField label="Name" error={error} disabled={create.isPending} {...register('name')} />
      {file === undefined && (
        <RegistryPicker
          label="Registry (optional)"
          hint="Its newest module is installed in the new canister."
          chosen={registry}
          onChoose={(entry) => setRegistry(entry?.id)}
          disabled={create.isPending}
        />
      )}
      <BalanceAfter cost={cost} />
    </ActionDialog>
  );
}
