import type { ReactNode } from 'react';
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
}

/** A dialog that does one thing, or nothing. Enter in a field does it. */
export function ActionDialog({
  open = true,
  onClose,
  action,
  keep = 'Cancel',
  danger = false,
  busy = false,
  disabled = false,
  onAction,
  ...parts
}: ActionDialogProps) {
  return (
    <Dialog
      {...parts}
      open={open}
      onOpenChange={(next) => !next && onClose()}
      locked={busy}
      onSubmit={onAction}
      footer={
        <>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={busy} disabled={disabled}>
            {action}
          </Button>
          <Button disabled={busy} onClick={onClose}>
            {keep}
          </Button>
        </>
      }
    />
  );
}
