import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { TextArea } from './text-area.tsx';

interface CopyByHandProps {
  readonly text: string;
  readonly onClose: () => void;
}

/** The text that the browser did not let the page copy, selected. */
export function CopyByHand({ text, onClose }: CopyByHandProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Copy by hand"
      description="This browser does not let the page copy. The text is selected: press Ctrl+C, or Cmd+C on a Mac."
      onSubmit={onClose}
      wide
      footer={<Button type="submit">Close</Button>}
    >
      <TextArea
        label="Text to copy"
        mono
        readOnly
        rows={Math.min(12, Math.max(3, text.split('\n', 12).length))}
        value={text}
        onFocus={(event) => event.currentTarget.select()}
      />
    </Dialog>
  );
}
