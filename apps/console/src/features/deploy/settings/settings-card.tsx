import { type ReactNode, useRef } from 'react';
import { LostNotice } from '../../../components/connection/lost-notice.tsx';
import { useLostWrite } from '../../../components/connection/use-lost-write.ts';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { useChangedForm } from '../../../components/unsaved/changed-forms.ts';
import { classNames } from '../../../lib/class-names.ts';
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
  const { isDirty, isValid = true, isSaving } = props;
  const { lost, sent } = useLostWrite({ busy: isSaving });
  const form = useRef<HTMLFormElement>(null);
  const submit = async (saver: Saver): Promise<boolean> => {
    if (!isDirty) return true;
    if (!isValid || isSaving) return false;
    sent();
    const isSaved = await saver(props.onSave());
    if (isSaved) props.onUndo();
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
        {lost !== undefined && (
          <div className="px-5 pb-4">
            <LostNotice lost={lost} />
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
