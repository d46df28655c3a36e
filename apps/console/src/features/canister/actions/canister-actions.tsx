import type { Canister } from '@cannery/contract';
import { CirclePlus, PackagePlus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import type { ButtonSize } from '../../../components/ui/button-class.ts';
import type { ToastPlace } from '../../../lib/toasts/toast-table.ts';
import { InstallDialog } from '../install/install-dialog.tsx';
import { moduleHashes } from '../api/canister-state.ts';
import { useCanisterLocked } from '../api/mutations.ts';
import { RunningButton } from './running-button.tsx';
import { TopUpDialog } from '../payment/top-up-dialog.tsx';

interface CanisterActionsProps {
  readonly canister: Canister;
  readonly startLabel: 'Run' | 'Start';
  /** Called after cycles have left the account. */
  readonly onBalanceMoved: () => void;
  readonly size?: ButtonSize;
  /** Milliseconds the messages stay; install messages have their own. */
  readonly place?: ToastPlace;
}

/**
 * Start and stop, install, top-up; all locked while any one of them runs. Installing is what an empty canister waits for;
 * a canister with code has no main action.
 */
export function CanisterActions({ canister, startLabel, onBalanceMoved, size, place }: CanisterActionsProps) {
  const isEmpty = moduleHashes(canister.module_hash).length === 0;
  const locked = useCanisterLocked(canister.id);
  const [dialog, setDialog] = useState<'install' | 'top-up'>();
  const close = (): void => setDialog(undefined);
  return (
    <>
      <RunningButton canister={canister} startLabel={startLabel} size={size} place={place} />
      <Button size={size} disabled={locked} onClick={() => setDialog('top-up')}>
        <CirclePlus className="size-4" />
        Add Cycles
      </Button>
      <Button
        size={size}
        variant={isEmpty ? 'primary' : 'secondary'}
        disabled={locked}
        onClick={() => setDialog('install')}
      >
        <PackagePlus className="size-4" />
        Install WASM
      </Button>
      <TopUpDialog
        canister={canister}
        open={dialog === 'top-up'}
        onOpenChange={close}
        onToppedUp={onBalanceMoved}
        place={place}
      />
      {dialog === 'install' && (
        <InstallDialog canister={canister} onClose={close} onInstalled={onBalanceMoved} />
      )}
    </>
  );
}
