import { isWasmFile, type Canister, type InstallMode } from '@cannery/contract';
import { useReducer, useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { TextField } from '../../components/ui/text-field.tsx';
import { ApiError } from '../../lib/api-error.ts';
import { serverText } from '../../lib/describe-error.ts';
import { toast, toastDurations } from '../../lib/toast-store.ts';
import { defaultInstallMode, installProgress } from './canister-state.ts';
import { FileDrop } from './file-drop.tsx';
import { ModeChoice } from './mode-choice.tsx';
import { useInstall } from './mutations.ts';

interface InstallDialogProps {
  readonly canister: Canister;
  readonly onClose: () => void;
  readonly onInstalled: () => void;
}

/**
 * Installs an uploaded WASM in a canister. Mounted each time it opens, so that mode and fields start anew
 * from the canister's module hash.
 */
export function InstallDialog({ canister, onClose, onInstalled }: InstallDialogProps) {
  const install = useInstall(canister.id);
  const [progress, note] = useReducer(installProgress, 'idle');
  const [first] = useState(() => defaultInstallMode(canister));
  const [mode, setMode] = useState<InstallMode>(first);
  const [file, setFile] = useState<File>();
  const [wrongFile, setWrongFile] = useState(false);
  const [argument, setArgument] = useState('');

  const choose = (chosen: File | undefined): void => {
    const fits = chosen === undefined || isWasmFile(chosen);
    setWrongFile(!fits);
    setFile(fits ? chosen : undefined);
  };

  const submit = async (): Promise<void> => {
    if (file === undefined || progress !== 'idle') return;
    note('confirmed');
    try {
      await install.mutateAsync({ file, mode, argument });
      note('succeeded');
      toast.success('Installed!', { duration: toastDurations.install });
      onInstalled();
      onClose();
    } catch (failure) {
      note('failed');
      const hint = failure instanceof ApiError ? failure.nextStep : undefined;
      toast.error(serverText(failure), { duration: toastDurations.install, hint });
    }
  };

  const installing = progress === 'installing';
  return (
    <Dialog
      open={progress !== 'closed'}
      onOpenChange={(open) => !open && onClose()}
      locked={installing}
      title="Install WASM"
      description={
        <>
          Into <b className="font-semibold text-ink">{canister.name}</b>
        </>
      }
      onSubmit={() => void submit()}
      footer={
        <>
          <Button type="submit" variant={mode === 'reinstall' ? 'danger' : 'primary'} busy={installing}>
            Install
          </Button>
          <Button disabled={installing} onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      {first !== 'install' && <ModeChoice mode={mode} onMode={setMode} disabled={installing} />}
      <FileDrop
        label="WASM file"
        accept=".wasm,application/wasm"
        file={file}
        error={wrongFile ? 'Invalid file format. Only WASM allowed.' : undefined}
        disabled={installing}
        onFile={choose}
      />
      <TextField
        label="Arguments (optional)"
        mono
        placeholder="()"
        hint="Candid text of the install arguments, such as (&quot;Ada&quot;, 5). Leave it empty for none."
        disabled={installing}
        value={argument}
        onChange={(event) => setArgument(event.target.value)}
      />
    </Dialog>
  );
}
