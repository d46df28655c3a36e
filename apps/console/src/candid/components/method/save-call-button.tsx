import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { LONGEST_NAME } from '../../saved/saved-calls.ts';

interface SaveCallButtonProps {
  /** The arguments as Candid text; undefined when something in them is wrong, which is shown then. */
  readonly args: () => string | undefined;
  /** Keeps them under a name; answers why it cannot, if so. */
  readonly onSave: (name: string, args: string) => string | undefined;
}

/** Keeps what is entered for a method under a name. */
export function SaveCallButton({ args, onSave }: SaveCallButtonProps) {
  const [given, setGiven] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  const open = (): void => {
    const entered = args();
    if (entered === undefined) return;
    setGiven(entered);
    setName('');
    setError(undefined);
    setOpen(true);
  };
  const save = (): void => {
    const problem = onSave(name.trim(), given);
    setError(problem);
    if (problem === undefined) setOpen(false);
  };
  return (
    <>
      <Button size="small" variant="ghost" onClick={open}>
        <Bookmark className="size-3.5" aria-hidden="true" />
        Save
      </Button>
      <ActionDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Save this call"
        description="The method and its arguments stay in this browser, for this canister."
        action="Save call"
        onAction={save}
      >
        <TextField
          label="Name"
          maxLength={LONGEST_NAME}
          value={name}
          error={error}
          onChange={(event) => {
            setName(event.target.value);
            setError(undefined);
          }}
        />
      </ActionDialog>
    </>
  );
}
