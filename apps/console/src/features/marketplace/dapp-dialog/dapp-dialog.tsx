import { type Dapp, dappForm, dappLimits, dappUpdateForm, isVersionText } from '@cannery/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { FailureNotice } from '../../../components/ui/failure-notice.tsx';
import { FileDrop } from '../../../components/ui/file-drop.tsx';
import { ProgressBar } from '../../../components/ui/progress-bar.tsx';
import { TextArea } from '../../../components/ui/text-area.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { partOf, sentText } from '../../../lib/browser/upload-bytes.ts';
import { dappName } from '../api/dapp-state.ts';
import { ICON_FILE, kindOf, startTexts, trimmed, useDappFile, WASM_FILE } from './dapp-fields.ts';
import { KindChoice } from './kind-choice.tsx';
import { PictureField, usePictureChoice } from './picture-choice.tsx';
import { type SaveStep, useSaveDapp } from './use-save-dapp.ts';

const labels = { icon: 'Uploading the icon', wasm: 'Uploading the WASM', dapp: 'Saving' } as const;

/** How far saving a dapp has come. */
function SaveProgress({ step: { what, bytes } }: { step: SaveStep }) {
  return bytes === undefined ? (
    <ProgressBar label={labels[what]} done={undefined} />
  ) : (
    <ProgressBar label={labels[what]} done={partOf(bytes)} amount={sentText(bytes)} />
  );
}

interface DappDialogProps {
  /** The dapp that is updated; a new one is submitted where there is none. */
  readonly dapp?: Dapp;
  readonly onClose: () => void;
  readonly onSaved?: () => void;
}

/** Takes what makes a dapp, uploads its files and submits or updates it. Mounted each time it opens. */
export function DappDialog({ dapp, onClose, onSaved }: DappDialogProps) {
  const isNew = dapp === undefined;
  const { save, step } = useSaveDapp(dapp);
  const [failure, setFailure] = useState<unknown>();
  const [kind, setKind] = useState(() => kindOf(dapp));
  const wasm = useDappFile({ ...WASM_FILE, isRequired: isNew });
  const icon = useDappFile(ICON_FILE);
  const picture = usePictureChoice(dapp, wasm.file);
  const form = useForm({
    resolver: zodResolver(isNew ? dappForm : dappUpdateForm),
    defaultValues: startTexts(dapp),
  });
  const { register, formState } = form;
  const version = useWatch({ control: form.control, name: 'version' });
  const { errors } = formState;
  const saving = step !== undefined;

  const submit = async (): Promise<void> => {
    if (saving) return;
    setFailure(undefined);
    const filesFit = [wasm.check(), icon.check()].every(Boolean);
    await form.handleSubmit(async (texts) => {
      if (!filesFit) return;
      try {
        await save({ ...trimmed(texts), kind, wasm: wasm.file, icon: icon.file, picture: picture.value });
        onClose();
        onSaved?.();
      } catch (error) {
        setFailure(error);
      }
    })();
  };

  return (
    <ActionDialog
      onClose={onClose}
      wide
      title={isNew ? 'Submit DApp' : `Update ${dappName(dapp)}`}
      description={isNew ? 'Everybody who is signed in can find it and install it.' : undefined}
      action={isNew ? 'Submit' : 'Update'}
      busy={saving}
      onAction={() => void submit()}
    >
      <TextField label="Name" error={errors.name?.message} disabled={saving} {...register('name')} />
      {isNew && (
        <TextField
          label="Git URL"
          type="url"
          placeholder="https://github.com/owner/repository"
          error={errors.git_url?.message}
          disabled={saving}
          {...register('git_url')}
        />
      )}
      <TextArea
        label="Description"
        maxLength={dappLimits.description}
        error={errors.description?.message}
        disabled={saving}
        {...register('description')}
      />
      <FileDrop
        label={isNew ? 'WASM file' : 'WASM file (optional)'}
        what="a .wasm file"
        accept={WASM_FILE.accept}
        file={wasm.file}
        error={wasm.error}
        disabled={saving}
        onFile={wasm.choose}
      />
      <FileDrop
        label="Icon (optional)"
        what="a PNG, GIF or JPEG picture"
        accept={ICON_FILE.accept}
        file={icon.file}
        error={icon.error}
        disabled={saving}
        onFile={icon.choose}
      />
      <PictureField choice={picture} disabled={saving} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Version"
          inputMode="decimal"
          error={errors.version?.message}
          disabled={saving}
          value={version}
          onChange={({ target }) => {
            const value = target.value.replaceAll(',', '.');
            // What is no part of a version does not get into the field; a comma on the decimal key is a dot.
            if (isVersionText(value))
              form.setValue('version', value, { shouldValidate: formState.isSubmitted });
          }}
        />
        <KindChoice kind={kind} onKind={setKind} disabled={saving} />
      </div>
      <TextArea
        label="What is new (optional)"
        rows={2}
        maxLength={dappLimits.notes}
        error={errors.notes?.message}
        disabled={saving}
        {...register('notes')}
      />
      {step && <SaveProgress step={step} />}
      {failure !== undefined && !saving && (
        <FailureNotice
          title={isNew ? 'The dapp was not submitted' : 'The dapp was not updated'}
          error={failure}
        />
      )}
    </ActionDialog>
  );
}
