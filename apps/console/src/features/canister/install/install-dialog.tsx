import { isWasmFile, type Canister, type InstallMode, type Registry } from '@cannery/contract';
import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import { findInstalled, useFocusOfNew } from '../../../components/focus/focus-when-there.ts';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { FileDrop } from '../../../components/ui/file-drop.tsx';
import type { ArgumentDraft } from '../../../lib/shared/argument-draft.ts';
import { nextStepOf, serverText } from '../../../lib/api/api-error.ts';
import { shown } from '../../../lib/text/formats.ts';
import { usePublicConfig } from '../../../lib/shared/public-config.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { defaultInstallMode, installProgress } from '../api/canister-state.ts';
import { useInstall } from '../api/mutations.ts';
import { RegistryPicker } from '../create/registry-picker.tsx';
import { confirmationOf, losesData } from './install-risk.ts';
import { FailureNotice } from '../../../components/ui/failure-notice.tsx';
import { InstallArguments } from '../../../components/ui/install-arguments.tsx';
import { type EnteredArguments, installRequest, textArguments } from './install-request.ts';
import { ModeChoice, UpgradeOptions, usualUpgrade } from './install-options.tsx';
import { ModuleReport } from './module-report.tsx';
import { SampleChoice, VersionPicker } from './module-choice.tsx';
import { type ModuleSource, type UploadedModule, UploadState, useModuleUpload } from './module-upload.tsx';

interface InstallDialogProps {
  readonly canister: Canister;
  readonly onClose: () => void;
  readonly onInstalled: () => void;
  /** A module that was chosen before; another one can be chosen still. */
  readonly file?: File;
}

/**
 * Takes a WASM from a file or from a registry, tells what installing it would mean, and installs it in a canister. Mounted each time it opens, so
 * that mode and fields begin with the canister's module hash.
 */
export function InstallDialog({ canister, onClose, onInstalled, file: given }: InstallDialogProps) {
  const install = useInstall(canister.id);
  const upload = useModuleUpload(canister.id);
  const saysOrigin = usePublicConfig()?.code_origins === true;
  const [progress, note] = useReducer(installProgress, 'idle');
  const [first] = useState(() => defaultInstallMode(canister));
  const [mode, setMode] = useState<InstallMode>(first);
  const [file, setFile] = useState(given);
  const [registry, setRegistry] = useState<Registry>();
  const [version, setVersion] = useState(1);
  const [sample, setSample] = useState(false);
  const [wrongFile, setWrongFile] = useState(false);
  const [text, setText] = useState('');
  const [typed, setTyped] = useState<ArgumentDraft>();
  const [upgrade, setUpgrade] = useState(usualUpgrade);
  const [confirmed, setConfirmed] = useState<string>();
  const [failure, setFailure] = useState<unknown>();
  const inputs = useRef<HTMLDivElement>(null);
  const tick = useRef<HTMLInputElement>(null);
  const focus = useFocusOfNew();
  const ready = upload.state.phase === 'ready' ? upload.state : undefined;

  const takeGiven = useEffectEvent(() => upload.choose(given));
  useEffect(() => takeGiven(), []);

  const open = (source: ModuleSource | undefined): void => {
    setTyped(undefined);
    setUpgrade(usualUpgrade);
    setConfirmed(undefined);
    setFailure(undefined);
    upload.choose(source);
  };

  const chooseFile = (chosen: File | undefined): void => {
    const fits = chosen === undefined || isWasmFile(chosen);
    setWrongFile(!fits);
    setFile(fits ? chosen : undefined);
    setRegistry(undefined);
    setSample(false);
    open(fits ? chosen : undefined);
  };

  const chooseRegistry = (chosen: Registry | undefined): void => {
    const identifier = chosen?.wasm_identifier;
    setWrongFile(false);
    setRegistry(chosen);
    setVersion(chosen?.version ?? 1);
    setSample(false);
    open(identifier ? { identifier } : undefined);
  };

  const chooseSample = (chosen: boolean): void => {
    setWrongFile(false);
    setFile(undefined);
    setRegistry(undefined);
    setSample(chosen);
    open(chosen ? 'sample' : undefined);
  };

  const inspection = ready?.module.inspection;
  const confirmation = confirmationOf(inspection, mode);
  /** The tick holds for what it was given to: another mode may risk more. */
  const isHeld = confirmation !== undefined && confirmed !== confirmation;
  const isBeingRead = !['none', 'ready', 'failed'].includes(upload.state.phase);

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
    if (ready === undefined || progress !== 'idle') return;
    if (isHeld) return tick.current?.focus();
    note('confirmed');
    setFailure(undefined);
    try {
      const entered = readArguments(ready.module);
      if (entered === undefined) return note('failed');
      await install.mutateAsync({
        request: installRequest(ready.module.identifier, mode, entered, upgrade),
        codeOrigin: saysOrigin && registry ? { registry: registry.id, version } : undefined,
      });
      note('succeeded');
      toast.tell('module: installed');
      onInstalled();
      if (findInstalled(canister.id) !== null) focus.take(() => findInstalled(canister.id));
      onClose();
    } catch (error) {
      note('failed');
      setFailure(error);
      toast.tell('module: not installed', { text: serverText(error), hint: nextStepOf(error) });
    }
  };

  const installing = progress === 'installing';
  const draft = typed ?? ready?.module.draft;
  return (
    <ActionDialog
      open={progress !== 'closed'}
      onClose={onClose}
      wide
      title="Install WASM"
      description={
        <>
          Into <b className="font-semibold text-ink">{shown(canister.name)}</b>
        </>
      }
      action="Install"
      danger={losesData(inspection, mode, upgrade)}
      busy={installing}
      disabled={isBeingRead || isHeld}
      onAction={() => void submit()}
      givesBack={focus.givesBack}
    >
      {first !== 'install' && <ModeChoice mode={mode} onMode={setMode} disabled={installing} />}
      <FileDrop
        label="WASM file"
        what="a .wasm file"
        accept=".wasm,application/wasm"
        file={file}
        error={wrongFile ? 'Invalid file format. Only WASM allowed.' : undefined}
        disabled={installing}
        onFile={chooseFile}
      />
      <SampleChoice
        chosen={sample}
        onChoose={chooseSample}
        disabled={installing || file !== undefined || registry !== undefined}
      />
      <RegistryPicker
        label="Or from a registry"
        chosen={registry?.id}
        onChoose={chooseRegistry}
        disabled={installing || file !== undefined || sample}
      />
      {registry && (
        <VersionPicker
          key={registry.id}
          registry={registry}
          onChoose={(identifier, number) => {
            setVersion(number);
            open({ identifier });
          }}
          disabled={installing}
        />
      )}
      <UploadState state={upload.state} onRetry={() => upload.choose(sample ? 'sample' : file)} />
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
      {confirmation !== undefined && (
        <label className="flex cursor-pointer gap-2.5 rounded-card border border-bad/40 px-3.5 py-2.5">
          <input
            ref={tick}
            type="checkbox"
            disabled={installing}
            checked={!isHeld}
            onChange={(event) => setConfirmed(event.target.checked ? confirmation : undefined)}
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          <span>Install it anyway: {confirmation}.</span>
        </label>
      )}
      {ready && mode === 'upgrade' && (
        <UpgradeOptions
          keepsMemory={inspection?.keeps_memory ?? false}
          choice={upgrade}
          disabled={installing}
          onChoice={setUpgrade}
        />
      )}
      {failure !== undefined && !installing && (
        <FailureNotice title="The module was not installed" error={failure} />
      )}
    </ActionDialog>
  );
}
