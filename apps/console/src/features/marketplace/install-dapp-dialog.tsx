import type { Dapp } from '@cannery/contract';
import { useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { TextField } from '../../components/ui/text-field.tsx';
import { toast } from '../../lib/toast-store.ts';
import { dappName } from './dapp-state.ts';
import { SaveFailure } from './save-failure.tsx';

interface InstallDappDialogProps {
  readonly dapp: Dapp;
  readonly install: (name: string) => Promise<string>;
  readonly isInstalling: boolean;
  readonly onClose: () => void;
  /** Told the id of the canister that has the dapp. */
  readonly onInstalled: (canisterId: string) => void;
}

/** Asks for the name of the instance and installs a dapp as a new canister. */
export function InstallDappDialog({
  dapp,
  install,
  isInstalling,
  onClose,
  onInstalled,
}: InstallDappDialogProps) {
  const [name, setName] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [failure, setFailure] = useState<unknown>();

  const submit = async (): Promise<void> => {
    if (isInstalling) return;
    if (name.trim() === '') return setMissing(true);
    setFailure(undefined);
    try {
      const id = await install(name.trim());
      toast.success('Installed');
      onInstalled(id);
    } catch (error) {
      toast.error('Something went wrong');
      setFailure(error);
    }
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      locked={isInstalling}
      title="Install DApp"
      description={
        <>
          <b className="font-semibold text-ink">{dappName(dapp)}</b> becomes a canister of yours, paid for
          from the cycle balance of your account.
        </>
      }
      onSubmit={() => void submit()}
      footer={
        <>
          <Button type="submit" variant="primary" busy={isInstalling}>
            Install
          </Button>
          <Button disabled={isInstalling} onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <TextField
        label="Instance Name"
        value={name}
        error={isMissing ? 'Required' : undefined}
        disabled={isInstalling}
        onChange={({ target }) => {
          setName(target.value);
          setMissing(false);
        }}
      />
      {failure !== undefined && !isInstalling && (
        <SaveFailure title="The dapp was not installed" error={failure} />
      )}
    </Dialog>
  );
}
