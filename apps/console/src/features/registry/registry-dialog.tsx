import { isWasmFile, type Registry, registryForm } from '@cannery/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { LostNotice } from '../../components/connection/lost-notice.tsx';
import { useLostWrite } from '../../components/connection/use-lost-write.ts';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { FileDrop } from '../../components/ui/file-drop.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { ProgressBar } from '../../components/ui/progress-bar.tsx';
import { TextField } from '../../components/ui/text-field.tsx';
import { describeError, isLost } from '../../lib/api/api-error.ts';
import { partOf, sentText } from '../../lib/browser/upload-bytes.ts';
import { useSaveRegistry } from './registries.ts';
import { isBusy, type SavingStep } from './registry-steps.ts';

interface RegistryDialogProps {
  /** The entry to update; undefined to add one. */
  readonly entry: Registry | undefined;
  readonly onClose: () => void;
}

const texts = {
  add: {
    title: 'Add new registry',
    description: 'A registry keeps a WASM under a name, ready to be installed in any canister.',
    file: 'WASM file',
    submit: 'Add',
  },
  update: {
    title: 'Edit registry',
    description: 'Another WASM becomes the next version; the earlier ones are kept.',
    file: 'New WASM file (optional)',
    submit: 'Save',
  },
} as const;

function SavingState({ step }: { step: SavingStep }) {
  switch (step.at) {
    case 'uploading':
      return <ProgressBar label="Uploading" done={partOf(step)} amount={sentText(step)} />;
    case 'failed': {
      // The dialog says that itself.
      if (isLost(step.error)) return null;
      const { reason, nextStep } = describeError(step.error);
      return (
        <div role="alert">
          <Notice tone="bad" title="The registry was not saved">
            <p className="wrap-anywhere">
              {reason} {nextStep}
            </p>
          </Notice>
        </div>
      );
    }
    default:
      return null;
  }
}

/** Takes a name and a WASM, for a new registry or for one that is there. Mounted while it is open. */
export function RegistryDialog({ entry, onClose }: RegistryDialogProps) {
  const { step, save, abort } = useSaveRegistry(entry);
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(registryForm),
    defaultValues: { name: entry?.name ?? '' },
    reValidateMode: 'onChange',
  });
  const [file, setFile] = useState<File>();
  const [fileError, setFileError] = useState<string>();
  const { title, description, file: fileLabel, submit: submitLabel } = texts[entry ? 'update' : 'add'];
  const busy = isBusy(step);
  const { lost, sent } = useLostWrite({ busy });

  const choose = (chosen: File | undefined): void => {
    const fits = chosen === undefined || isWasmFile(chosen);
    setFile(fits ? chosen : undefined);
    setFileError(fits ? undefined : 'Invalid file format. Only WASM allowed.');
  };

  const requireFile = (): boolean => {
    if (fileError !== undefined) return false;
    if (file !== undefined || entry !== undefined) return true;
    setFileError('WASM is required.');
    return false;
  };

  const submit = async (): Promise<void> => {
    const hasFile = requireFile();
    await handleSubmit(async ({ name }) => {
      if (!hasFile || busy) return;
      sent();
      // What was thrown is shown in the dialog, by its step.
      await save({ name, file }).then(onClose, () => undefined);
    })();
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      locked={busy}
      title={title}
      description={description}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button disabled={step.at === 'saving'} onClick={step.at === 'uploading' ? abort : onClose}>
            {step.at === 'uploading' ? 'Stop upload' : 'Cancel'}
          </Button>
          <Button type="submit" variant="primary" busy={busy}>
            {lost === undefined ? submitLabel : 'Try again'}
          </Button>
        </>
      }
    >
      <TextField label="Name" error={formState.errors.name?.message} disabled={busy} {...register('name')} />
      <FileDrop
        label={fileLabel}
        what="a .wasm file"
        accept=".wasm,application/wasm"
        file={file}
        error={fileError}
        disabled={busy}
        onFile={choose}
      />
      <SavingState step={step} />
      {lost !== undefined && <LostNotice lost={lost} />}
    </Dialog>
  );
}
