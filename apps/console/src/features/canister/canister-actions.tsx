import type { Canister } from '@cannery/contract';
import { CirclePlus, PackagePlus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { InstallDialog } from './install/install-dialog.tsx';
import { useCanisterLocked } from './mutations.ts';
import { RunningButton } from './running-button.tsx';
import { TopUpDialog } from './top-up-dialog.tsx';

interface CanisterActionsProps {
  readonly canister: Canister;
  readonly startLabel: 'Run' | 'Start';
  /** Called after cycles have left the account. */
  readonly onBalanceMoved: () => void;
  /** Milliseconds the messages stay; install messages have their own. */
  readonly duration?: number;
}

/** Start and stop, install, top-up; all locked while any one of them runs. */
export function CanisterActions({ canister, startLabel, onBalanceMoved, duration }: CanisterActionsProps) {
  const locked = useCanisterLocked(canister.id);
  const [dialog, setDialog] = useState<'install' | 'top-up'>();
  const close = (): void => setDialog(undefined);
  return (
    <>
      <RunningButton canister={canister} startLabel={startLabel} duration={duration} />
      <Button disabled={locked} onClick={() => setDialog('top-up')}>
        <CirclePlus className="size-4" />
        Add Cycles
      </Button>
      <Button variant="primary" disabled={locked} onClick={() => setDialog('install')}>
        <PackagePlus className="size-4" />
        Install WASM
      </Button>
      <TopUpDialog
        canister={canister}
        open={dialog === 'top-up'}
        onOpenChange={close}
        onToppedUp={onBalanceMoved}
        duration={duration}
      />
      {dialog === 'install' && (
        <InstallDialog canister={canister} onClose={close} onInstalled={onBalanceMoved} />
      )}
    </>
  );
}
