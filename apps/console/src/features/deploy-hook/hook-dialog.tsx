import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';

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
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      locked={busy}
      title={title}
      description={description}
      onSubmit={onGo}
      footer={
        <>
          <Button type="submit" variant="danger" busy={busy}>
            {words.go}
          </Button>
          <Button disabled={busy} onClick={onClose}>
            {words.keep}
          </Button>
        </>
      }
    />
  );
}
