import { ActionDialog } from '../../components/ui/action-dialog.tsx';

interface HookDialogProps {
  readonly open: boolean;
  readonly busy: boolean;
  readonly title: string;
  readonly description: string;
  /** What goes on, and what leaves everything as it is. */
  readonly words: { readonly go: string; readonly keep: string };
  readonly onGo: () => void;
  readonly onClose: () => void;
}

/** Asks before the git host is refused with what it has. */
export function HookDialog({ open, busy, title, description, words, onGo, onClose }: HookDialogProps) {
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={title}
      description={description}
      action={words.go}
      keep={words.keep}
      danger
      busy={busy}
      onAction={onGo}
    />
  );
}
