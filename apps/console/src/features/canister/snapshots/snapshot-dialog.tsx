import type { ReactNode } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { describeError } from '../../../lib/api/describe-error.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';

interface SnapshotDialogProps {
  readonly title: string;
  readonly description: ReactNode;
  /** What the button says that starts the action. */
  readonly action: string;
  readonly variant: 'primary' | 'danger';
  /** The action is running. */
  readonly busy: boolean;
  readonly run: () => Promise<unknown>;
  /** What the toast says when it succeeded. */
  readonly done: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** Asks before an action on a snapshot; closes when it has ended, and tells how in a toast. */
export function SnapshotDialog(props: SnapshotDialogProps) {
  const { title, description, action, variant, busy, run, done, onClose, children } = props;

  const confirm = async (): Promise<void> => {
    try {
      await run();
      toast.tell('snapshot: done', { text: done });
    } catch (failure) {
      const { reason, nextStep } = describeError(failure);
      toast.tell('snapshot: not done', { text: reason, hint: nextStep });
    }
    onClose();
  };

  return (
    <ActionDialog
      onClose={onClose}
      title={title}
      description={description}
      action={action}
      danger={variant === 'danger'}
      busy={busy}
      onAction={() => void confirm()}
    >
      {children}
    </ActionDialog>
  );
}
