import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { PRODUCT_NAME } from '../../../config/env.ts';

interface GiveUpDialogProps {
  readonly open: boolean;
  readonly busy: boolean;
  /** Whether others stay controllers. */
  readonly othersRemain: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks before the console takes itself off a canister's controllers. */
export function GiveUpDialog({ open, busy, othersRemain, onClose, onConfirm }: GiveUpDialogProps) {
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title="Give up control of this canister?"
      description={`${PRODUCT_NAME} would no longer be a controller: it could not start, stop, install, change or delete the canister any more, nor bring its cycles back. ${othersRemain ? 'Only a remaining controller can undo this.' : 'No controller remains, so nobody can undo this.'}`}
      action="Give up control"
      keep="Keep control"
      danger
      busy={busy}
      onAction={onConfirm}
    />
  );
}
