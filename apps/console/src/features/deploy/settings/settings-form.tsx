import { createDeployForm, type Deploy } from '@cannery/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { LostNotice } from '../../../components/connection/lost-notice.tsx';
import { useLostWrite } from '../../../components/connection/use-lost-write.ts';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { useUpdateDeploy } from '../api/mutations.ts';
import { useChangedForm } from '../../../components/unsaved/changed-forms.ts';
import { NotSaved } from './not-saved.tsx';
import { saveAndTell, type Saver, saveQuietly } from './save-settings.ts';
import { savedSettings, settingsOf } from '../api/payloads.ts';

const { build_cmd, publish_dir } = createDeployForm.shape;
const settingsForm = createDeployForm
  .pick({ name: true })
  .extend({ build_command: build_cmd, publish_directory: publish_dir });

/** What is in the form while somebody types in it, when other settings come. */
const KEPT = { keepDirty: true, keepDirtyValues: true, keepErrors: true, keepTouched: true } as const;
/** The same for a form that begins again: nothing. */
const ENTIRELY = {
  keepDirty: false,
  keepDirtyValues: false,
  keepErrors: false,
  keepTouched: false,
} as const;

/** The 'General' block of a deploy's settings. */
export function SettingsForm({ deploy }: { deploy: Deploy }) {
  const update = useUpdateDeploy(deploy);
  const { register, handleSubmit, reset, formState } = useForm({
    resolver: zodResolver(settingsForm),
    // All fields are sent, so those that nobody has typed in follow what is saved elsewhere.
    values: settingsOf(deploy),
    resetOptions: KEPT,
    mode: 'onTouched',
  });
  const { errors, isDirty } = formState;
  const isSite = deploy.type === 'STATIC_SITE';

  const { lost, sent } = useLostWrite({ busy: update.isPending });

  const [refusal, setRefusal] = useState<unknown>();

  const undo = (): void => {
    reset(settingsOf(deploy), ENTIRELY);
    setRefusal(undefined);
  };
  const submit = async (saver: Saver): Promise<boolean> => {
    let isSaved = false;
    await handleSubmit(async (settings) => {
      sent();
      setRefusal(undefined);
      const saving = update.mutateAsync(settings);
      isSaved = await saver(saving);
      if (isSaved) reset({ ...settings, ...savedSettings(deploy.type, settings) }, ENTIRELY);
      else setRefusal(await saving.catch((failure: unknown) => failure));
    })();
    return isSaved;
  };
  useChangedForm({
    name: 'General',
    isChanged: isDirty,
    bar: { canSave: Object.keys(errors).length === 0, save: () => submit(saveQuietly), discard: undo },
  });

  return (
    <Card className="max-w-2xl animate-entrance">
      <form
        noValidate
        // What the service has said holds for what it was asked to save.
        onChange={() => setRefusal(undefined)}
        onSubmit={(event) => {
          event.preventDefault();
          void submit(saveAndTell);
        }}
      >
        <h2 className="px-5 pt-4 text-lg font-semibold">General</h2>
        <div className="flex flex-col gap-4 px-5 py-4">
          <TextField label="Name" error={errors.name?.message} {...register('name')} />
          {isSite && (
            <>
              <TextField
                label="Build command"
                prefix="$"
                mono
                error={errors.build_command?.message}
                {...register('build_command')}
              />
              <TextField
                label="Publish directory"
                mono
                error={errors.publish_directory?.message}
                {...register('publish_directory')}
              />
            </>
          )}
          {lost !== undefined && <LostNotice lost={lost} />}
          {lost === undefined && refusal !== undefined && <NotSaved failure={refusal} />}
        </div>
        <div className="flex justify-end gap-2 border-t border-line px-5 py-3">
          <Button disabled={!isDirty || update.isPending} onClick={undo}>
            Discard
          </Button>
          <Button type="submit" variant="primary" disabled={!isDirty} busy={update.isPending}>
            {lost === undefined ? 'Update' : 'Try again'}
          </Button>
        </div>
      </form>
    </Card>
  );
}
