import type { ReactNode } from 'react';
import { LostNotice } from '../../../components/connection/lost-notice.tsx';
import { useLostWrite } from '../../../components/connection/use-lost-write.ts';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { classNames } from '../../../lib/class-names.ts';

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
  readonly isChanged: boolean;
  readonly canSave: boolean;
  readonly isSaving: boolean;
  readonly onUndo: () => void;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A block of a deploy's settings that is saved as a whole. */
export function SettingsCard(props: SettingsCardProps) {
  const { title, label = title, about, note, save = 'Save', beside = false, children } = props;
  const { lost, sent } = useLostWrite({ busy: props.isSaving });
  return (
    <Card className="max-w-2xl animate-entrance">
      <form
        noValidate
        aria-label={label}
        onSubmit={(event) => {
          event.preventDefault();
          sent();
          props.onSubmit();
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
          <Button disabled={!props.isChanged || props.isSaving} onClick={props.onUndo}>
            Undo changes
          </Button>
          <Button type="submit" variant="primary" disabled={!props.canSave} busy={props.isSaving}>
            {lost === undefined ? save : 'Try again'}
          </Button>
        </div>
      </form>
    </Card>
  );
}
