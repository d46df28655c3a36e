import type { ReactNode } from 'react';
import { LostNotice, SaysLost } from '../connection/lost-notice.tsx';
import { useLostWrite } from '../connection/use-lost-write.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface ActionDialogProps {
  /** Where it is left out, the dialog is mounted while it is open. */
  readonly open?: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  readonly wide?: boolean;
  /** What the action does, exactly, beside its button. */
  readonly note?: string | undefined;
  /** What the button says that does it. */
  readonly action: string;
  /** What the button says that leaves everything as it is. */
  readonly keep?: string;
  /** For what cannot be undone. */
  readonly danger?: boolean;
  /** While it is being done the dialog stays. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly onAction: () => void;
  /** Asked as it closes: false where the focus goes to what it has made, and not back to where it was. */
  readonly givesBack?: () => boolean;
}

/**
 * A dialog that does one thing, or nothing. Enter in a field does it. Where the action gets no answer, the dialog says so inside, and its
 * button says 'Try again'; whoever closes it on a failure leaves it open then (`isLost`).
 */
export function ActionDialog({
  open = true,
  onClose,
  action,
  keep = 'Cancel',
  danger = false,
  busy = false,
  disabled = false,
  onAction,
  children,
  ...parts
}: ActionDialogProps) {
  const { lost, sent } = useLostWrite({ open, busy });
  const act = (): void => {
    sent();
    onAction();
  };
  return (
    <Dialog
      {...parts}
      open={open}
      onOpenChange={(next) => !next && onClose()}
      locked={busy}
      onSubmit={act}
      footer={
        <>
          <Button disabled={busy} onClick={onClose}>
            {keep}
          </Button>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={busy} disabled={disabled}>
            {lost === undefined ? action : 'Try again'}
          </Button>
        </>
      }
    >
      {children === undefined && lost === undefined ? undefined : (
        <>
          <SaysLost value={lost !== undefined}>{children}</SaysLost>
          {lost !== undefined && <LostNotice lost={lost} />}
        </>
      )}
    </Dialog>
  );
}
