import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, type SyntheticEvent, useRef } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { IconButton } from './icon-button.tsx';

interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** Buttons at the end, in the order of the keyboard as on the screen; the one that submits has type 'submit' when `onSubmit` is given. */
  readonly footer?: ReactNode;
  /** What pressing the button does, exactly, beside it. */
  readonly note?: string;
  /** Makes the dialog a form: Enter in a field submits. */
  readonly onSubmit?: () => void;
  /** While true, neither Escape nor a click outside closes the dialog. */
  readonly locked?: boolean;
  readonly wide?: boolean;
  /** Asked as it closes: false where the focus goes to what it has made, and not back to where it was. */
  readonly givesBack?: () => boolean;
}

const popupClass = classNames(
  'fixed z-40 flex max-h-[88dvh] flex-col overflow-hidden border border-line bg-raised shadow-float outline-none',
  'transition-[opacity,translate,scale] duration-150 ease-out data-starting-style:opacity-0 data-ending-style:opacity-0',
  'inset-x-0 bottom-0 rounded-t-sheet data-starting-style:translate-y-8 data-ending-style:translate-y-8',
  'sm:inset-auto sm:top-1/2 sm:left-1/2 sm:w-[calc(100vw-2rem)] sm:-translate-1/2 sm:rounded-card',
  'sm:data-starting-style:-translate-y-1/2 sm:data-starting-style:scale-98 sm:data-ending-style:-translate-y-1/2',
);

const FIELD = 'input:not([type="radio"]), input[type="radio"]:checked, select, textarea';

/** What takes the focus in a form: its first field, else what leaves everything as it is. */
function firstOf(form: HTMLFormElement | null): HTMLElement | null {
  const fields = form?.querySelectorAll<HTMLInputElement>(FIELD) ?? [];
  const field = [...fields].find(({ disabled }) => !disabled);
  return field ?? form?.querySelector<HTMLElement>('footer button[type="button"]') ?? null;
}

/**
 * A modal dialog; on phones a sheet from the bottom. Focus starts in the first field, is kept inside and given
 * back on closing.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  note,
  onSubmit,
  locked = false,
  wide = false,
  givesBack,
}: DialogProps) {
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    onSubmit?.();
  };
  const body = (
    <>
      <div className="flex items-start gap-3 px-5 pt-4 pb-1">
        <div className="min-w-0 flex-1">
          <BaseDialog.Title className="text-lg font-semibold">{title}</BaseDialog.Title>
          {description !== undefined && (
            <BaseDialog.Description className="mt-1 text-sm text-muted">{description}</BaseDialog.Description>
          )}
        </div>
        <BaseDialog.Close
          disabled={locked}
          render={<IconButton label="Close" size="small" className="-mt-0.5 -mr-1.5" />}
        >
          <X className="size-4" />
        </BaseDialog.Close>
      </div>
      {children !== undefined && (
        <div className="flex flex-col gap-4 overflow-y-auto px-5 pt-3 pb-1">{children}</div>
      )}
      {footer !== undefined && (
        <footer className="flex flex-wrap items-center justify-end gap-2 px-5 pt-5 pb-5 max-sm:pb-8 max-sm:[&>:not(p)]:flex-1">
          {note !== undefined && (
            <p className="text-sm font-medium text-pretty max-sm:basis-full sm:min-w-0 sm:flex-1">{note}</p>
          )}
          {footer}
        </footer>
      )}
    </>
  );
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!(locked && !next)) onOpenChange(next);
      }}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-starting-style:opacity-0 data-ending-style:opacity-0" />
        <BaseDialog.Popup
          // By touch a focused field would bring up the keyboard over the dialog: there the popup itself has the focus.
          initialFocus={(opened) => (opened === 'touch' ? true : (firstOf(form.current) ?? true))}
          finalFocus={givesBack}
          className={classNames(popupClass, wide ? 'sm:max-w-160' : 'sm:max-w-110')}
        >
          {onSubmit ? (
            <form ref={form} noValidate onSubmit={submit} className="flex min-h-0 flex-col">
              {body}
            </form>
          ) : (
            body
          )}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
