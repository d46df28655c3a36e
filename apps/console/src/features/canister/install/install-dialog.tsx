import { isWasmFile, type Canister, type InstallMode } from '@cannery/contract';
import { useReducer, useRef, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Dialog } from '../../../components/ui/dialog.tsx';
import { ApiError } from '../../../lib/api-error.ts';
import type { ArgumentDraft } from '../../../lib/argument-draft.ts';
import { serverText } from '../../../lib/describe-error.ts';
import { toast, toastDurations } from '../../../lib/toast-store.ts';
import { defaultInstallMode, installProgress } from '../canister-state.ts';
import { useInstall } from '../mutations.ts';
import { FileDrop } from './file-drop.tsx';
import { InstallArguments } from './install-arguments.tsx';
import { type EnteredArguments, installRequest, textArguments } from './install-request.ts';
import { ModeChoice } from './mode-choice.tsx';
import { ModuleReport } from './module-report.tsx';
import { UploadState } from './upload-state.tsx';
import { UpgradeOptions, usualUpgrade } from './upgrade-options.tsx';
import { type UploadedModule, useModuleUpload } from './use-module-upload.ts';

interface InstallDialogProps {
  readonly canister: Canister;
  readonly onClose: () => void;
  readonly onInstalled: () => void;
}

/**
 * Uploads a WASM, tells what installing it would mean, and installs it in a canister. Mounted each time it opens, so
 * that mode and fields start anew from the canister's module hash.
 */
export function InstallDialog({ canister, onClose, onInstalled }: InstallDialogProps) {
  const install = useInstall(canister.id);
  const upload = useModuleUpload(canister.id);
  const [progress, note] = useReducer(installProgress, 'idle');
  const [first] = useState(() => defaultInstallMode(canister));
  const [mode, setMode] = useState<InstallMode>(first);
  const [file, setFile] = useState<File>();
  const [wrongFile, setWrongFile] = useState(false);
  const [text, setText] = useState('');
  const [typed, setTyped] = useState<ArgumentDraft>();
  const [upgrade, setUpgrade] = useState(usualUpgrade);
  const inputs = useRef<HTMLDivElement>(null);
  const ready = upload.state.phase === 'ready' ? upload.state : undefined;

  const choose = (chosen: File | undefined): void => {
    const fits = chosen === undefined || isWasmFile(chosen);
    const taken = fits ? chosen : undefined;
    setWrongFile(!fits);
    setFile(taken);
    setTyped(undefined);
    setUpgrade(usualUpgrade);
    upload.choose(taken);
  };

  /** What was entered as arguments; undefined when it is to be corrected or completed first. */
  const readArguments = (module: UploadedModule): EnteredArguments | undefined => {
    const draft = typed ?? module.draft;
    if (draft === undefined) return textArguments(text);
    if (draft.count === 0) return {};
    const read = draft.read();
    if (read.ok) return { argument_hex: read.hex };
    setTyped(read.draft);
    // The first input with a mistake takes the focus once it is marked and enabled again.
    requestAnimationFrame(() => inputs.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
    return undefined;
  };

  const submit = async (): Promise<void> => {
    const uploading = upload.uploaded();
    if (uploading === undefined || progress !== 'idle') return;
    note('confirmed');
    try {
      const module = await uploading;
      const entered = readArguments(module);
      if (entered === undefined) return note('failed');
      await install.mutateAsync(installRequest(module.identifier, mode, entered, upgrade));
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
  const draft = typed ?? ready?.module.draft;
  const inspection = ready?.module.inspection;
  const loses =
    mode === 'reinstall' ||
    (mode === 'upgrade' &&
      (inspection?.upgrade?.stable_memory.verdict === 'breaking' ||
        upgrade.skipPreUpgrade ||
        (inspection?.keeps_memory === true && upgrade.keepMemory === false)));
  return (
    <Dialog
      open={progress !== 'closed'}
      onOpenChange={(open) => !open && onClose()}
      locked={installing}
      wide
      title="Install WASM"
      description={
        <>
          Into <b className="font-semibold text-ink">{canister.name}</b>
        </>
      }
      onSubmit={() => void submit()}
      footer={
        <>
          <Button type="submit" variant={loses ? 'danger' : 'primary'} busy={installing}>
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
      <UploadState state={upload.state} onRetry={() => upload.choose(file)} />
      {inspection && <ModuleReport inspection={inspection} mode={mode} />}
      {ready && (
        <div ref={inputs}>
          <InstallArguments
            draft={draft}
            onDraft={setTyped}
            text={text}
            onText={setText}
            disabled={installing}
          />
        </div>
      )}
      {ready && mode === 'upgrade' && (
        <UpgradeOptions
          keepsMemory={inspection?.keeps_memory ?? false}
          choice={upgrade}
          disabled={installing}
          onChoice={setUpgrade}
        />
      )}
    </Dialog>
  );
}
