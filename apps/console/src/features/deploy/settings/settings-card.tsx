import { type ReactNode, useRef, useState } from 'react';
import { LostNotice } from '../../../components/connection/lost-notice.tsx';
import { useLostWrite } from '../../../components/connection/use-lost-write.ts';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { useChangedForm } from '../../../components/unsaved/changed-forms.ts';
import { classNames } from '../../../lib/class-names.ts';
import { NotSaved } from './not-saved.tsx';
import { saveAndTell, type Saver, saveQuietly } from './save-settings.ts';

interface SettingsCardProps {
  readonly title: string;
  /** The name of the form, where that is not its title. */
  readonly label?: string;
  /** What the settings are for. */
  readonly about?: ReactNode;
  /** Stands before the buttons. */
  readonly note?: string;
  /** What the button says that saves. */
  readonly save?: string;
  /** Fields stand beside each other where there is room. */
  readonly beside?: boolean;
  /** What was typed or chosen; another value for whatever is changed. */
  readonly draft: unknown;
  /** Whether the fields say why the draft was not saved. */
  readonly saysWhy?: boolean;
  /** Whether anything was touched that can be undone. */
  readonly isChanged: boolean;
  /** Whether it says something else than what is saved. */
  readonly isDirty: boolean;
  readonly isValid?: boolean;
  readonly isSaving: boolean;
  /** Goes back to what is saved; called also once it is. */
  readonly onUndo: () => void;
  readonly onSave: () => Promise<unknown>;
  readonly children: ReactNode;
}

/** A block of a deploy's settings that is saved as a whole. */
export function SettingsCard(props: SettingsCardProps) {
  const { title, label = title, about, note, save = 'Save', beside = false, children } = props;
  const { draft, saysWhy = false, isDirty, isValid = true, isSaving } = props;
  const { lost, sent } = useLostWrite({ busy: isSaving });
  const [refused, setRefused] = useState<{ readonly draft: unknown; readonly failure: unknown }>();
  // What the service has said holds for what it was asked to save.
  const isRefused = refused !== undefined && refused.draft === draft && !saysWhy && !isSaving;
  const form = useRef<HTMLFormElement>(null);
  const submit = async (saver: Saver): Promise<boolean> => {
    if (!isDirty) return true;
    if (!isValid || isSaving) return false;
    sent();
    setRefused(undefined);
    const saving = props.onSave();
    const isSaved = await saver(saving);
    if (isSaved) props.onUndo();
    else setRefused({ draft, failure: await saving.catch((failure: unknown) => failure) });
    return isSaved;
  };
  useChangedForm({
    name: title,
    isChanged: isDirty,
    bar: {
      canSave: isValid,
      save: async () => {
        const isSaved = await submit(saveQuietly);
        if (!isSaved) form.current?.scrollIntoView({ block: 'center' });
        return isSaved;
      },
      discard: props.onUndo,
    },
  });
  return (
    <Card className="max-w-2xl animate-entrance">
      <form
        ref={form}
        noValidate
        aria-label={label}
        onSubmit={(event) => {
          event.preventDefault();
          void submit(saveAndTell);
        }}
      >
        <h2 className="px-5 pt-4 text-lg font-semibold">{title}</h2>
        {about !== undefined && <p className="px-5 pt-1 text-sm text-muted">{about}</p>}
        <div className={classNames('gap-4 px-5 py-4', beside ? 'grid sm:grid-cols-2' : 'flex flex-col')}>
          {children}
        </div>
        {(lost !== undefined || isRefused) && (
          <div className="px-5 pb-4">
            {lost === undefined ? <NotSaved failure={refused?.failure} /> : <LostNotice lost={lost} />}
          </div>
        )}
        <div className="flex items-center justify-end gap-2 border-t border-line px-5 py-3">
          {note !== undefined && <p className="mr-auto text-sm text-muted">{note}</p>}
          <Button disabled={!props.isChanged || isSaving} onClick={props.onUndo}>
            Undo changes
          </Button>
          <Button type="submit" variant="primary" disabled={!isDirty || !isValid} busy={isSaving}>
            {lost === undefined ? save : 'Try again'}
          </Button>
        </div>
      </form>
    </Card>
  );
}
