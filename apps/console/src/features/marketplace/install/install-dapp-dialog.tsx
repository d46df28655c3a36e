import { type Dapp, readDecimal, readTopUp, type TopUpReading } from '@cannery/contract';
import { useRef, useState } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { InstallArguments } from '../../../components/ui/install-arguments.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { usePublicConfig } from '../../../lib/shared/public-config.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { dappName } from '../api/dapp-state.ts';
import { FailureNotice } from '../../../components/ui/failure-notice.tsx';
import { costText, type PaidExtra } from './install-cost.ts';
import { type InstanceRequest, useDappArguments } from './use-install-dapp.ts';

interface InstallDappDialogProps {
  readonly dapp: Dapp;
  readonly install: (request: InstanceRequest) => Promise<string>;
  readonly isInstalling: boolean;
  /** What an attempt that did not come to its end has paid under a name. */
  readonly begunAs: (instance: Pick<InstanceRequest, 'wasm' | 'name'>) => PaidExtra | undefined;
  readonly onClose: () => void;
  /** Told the id of the canister that has the dapp. */
  readonly onInstalled: (canisterId: string) => void;
}

const NOTHING = { amount: 0, text: '', cycles: 0n } as const;

/** The extra cycles as typed; an empty field and 0 are none. */
function readExtra(typed: string): TopUpReading {
  const reading = readDecimal(typed);
  const isNone = typed.trim() === '' || ('decimal' in reading && reading.decimal.digits === 0n);
  return isNone ? NOTHING : readTopUp(typed);
}

/** Asks for the name of the instance and what its module takes, and installs a dapp as a new canister. */
export function InstallDappDialog({
  dapp,
  install,
  isInstalling,
  begunAs,
  onClose,
  onInstalled,
}: InstallDappDialogProps) {
  const [name, setName] = useState('');
  const [extraText, setExtraText] = useState('');
  const [wrong, setWrong] = useState<'name' | 'extra'>();
  const [failure, setFailure] = useState<unknown>();
  const inputs = useRef<HTMLDivElement>(null);
  const args = useDappArguments(dapp);
  const cost = usePublicConfig()?.canister_create_cost;
  const extra = readExtra(extraText);
  const { wasm } = dapp;

  const submit = async (): Promise<void> => {
    if (isInstalling) return;
    if (name.trim() === '') return setWrong('name');
    if ('error' in extra) return setWrong('extra');
    setExtraText(extra.text);
    setFailure(undefined);
    const entered = await args.read();
    if (entered === 'wrong') {
      requestAnimationFrame(() =>
        inputs.current?.querySelector<HTMLElement>('[aria-invalid], input')?.focus(),
      );
      return;
    }
    try {
      const id = await install({ wasm, name: name.trim(), extra: extra.amount, argument: entered.hex });
      toast.tell('dapp: installed');
      onInstalled(id);
    } catch (error) {
      toast.tell('dapp: not installed');
      setFailure(error);
    }
  };

  return (
    <ActionDialog
      onClose={onClose}
      wide={args.draft !== undefined}
      title="Install DApp"
      description={
        <>
          <b className="font-semibold text-ink">{dappName(dapp)}</b>
          {dapp.version ? ` v${dapp.version}` : ''} becomes one of your canisters.
        </>
      }
      action="Install"
      busy={isInstalling}
      onAction={() => void submit()}
    >
      <TextField
        label="Instance Name"
        value={name}
        error={wrong === 'name' ? 'Required' : undefined}
        disabled={isInstalling}
        onChange={({ target }) => {
          setName(target.value);
          setWrong(undefined);
        }}
      />
      {args.draft !== undefined && (
        <div ref={inputs}>
          <InstallArguments
            draft={args.draft}
            onDraft={args.setDraft}
            text=""
            onText={() => undefined}
            disabled={isInstalling}
          />
        </div>
      )}
      <TextField
        label="Extra cycles in T (optional)"
        inputMode="decimal"
        placeholder="0"
        hint={
          'error' in extra
            ? extra.problem
            : costText(cost, extra.amount, begunAs({ wasm, name: name.trim() }))
        }
        error={
          wrong === 'extra' && 'error' in extra
            ? `${extra.error}${extra.problem === undefined ? '' : `. ${extra.problem}`}`
            : undefined
        }
        disabled={isInstalling}
        value={extraText}
        onChange={({ target }) => {
          setExtraText(target.value);
          setWrong(undefined);
        }}
      />
      {failure !== undefined && !isInstalling && (
        <FailureNotice title="The dapp was not installed" error={failure} />
      )}
    </ActionDialog>
  );
}
