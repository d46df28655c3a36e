import { useState } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { buttonClass } from '../../../components/ui/button.tsx';
import { TextArea } from '../../../components/ui/text-area.tsx';

/** More bytes than this are no key; the rest of a file is not read. */
const LONGEST = 64 * 1024;

interface KeyDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Takes a PEM text; answers what is wrong with it, if anything. */
  readonly onImport: (pem: string) => Promise<string | undefined>;
}

/** Asks for a private key in PEM form. The text is forgotten when the dialog closes. */
export function KeyDialog({ open, onClose, onImport }: KeyDialogProps) {
  const [pem, setPem] = useState('');
  const [error, setError] = useState<string>();
  const change = (text: string): void => {
    setPem(text);
    setError(undefined);
  };
  const close = (): void => {
    change('');
    onClose();
  };
  const submit = async (): Promise<void> => {
    const problem = await onImport(pem);
    if (problem === undefined) close();
    else setError(problem);
  };
  const take = async (input: HTMLInputElement): Promise<void> => {
    const [file] = input.files ?? [];
    if (file) change(await file.slice(0, LONGEST).text());
    input.value = '';
  };
  return (
    <ActionDialog
      open={open}
      onClose={close}
      title="Call with your own key"
      description="The key stays in the memory of this page: it is not sent anywhere and not stored, and it is gone when you leave or reload the page."
      action="Use this key"
      disabled={pem.trim() === ''}
      onAction={() => void submit()}
    >
      <TextArea
        mono
        rows={6}
        label="Private key (PEM)"
        hint="As icp identity export or dfx identity export prints it: Ed25519 or secp256k1, not encrypted."
        placeholder={'-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----'}
        autoComplete="off"
        autoCorrect="off"
        autoCapitalize="off"
        value={pem}
        error={error}
        onChange={(event) => change(event.target.value)}
      />
      <span
        className={buttonClass({
          size: 'small',
          className: 'self-start has-focus-visible:outline-2 has-focus-visible:outline-accent',
        })}
      >
        Choose a PEM file
        <input
          type="file"
          accept=".pem,.key,application/x-pem-file"
          aria-label="Choose a PEM file"
          onChange={(event) => void take(event.target)}
          className="absolute inset-0 cursor-pointer opacity-0"
        />
      </span>
    </ActionDialog>
  );
}
