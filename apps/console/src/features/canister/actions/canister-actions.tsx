import type { Canister } from '@cannery/contract';
import { CirclePlay, CirclePlus, CircleStop, PackagePlus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { DialogBoundary } from '../../../components/connection/dialog-boundary.tsx';
import { Button, type ButtonSize } from '../../../components/ui/button.tsx';
import { lazyPage } from '../../../components/ui/lazy-page.ts';
import type { ToastPlace } from '../../../lib/toasts/toast-table.ts';
import { isRunning, moduleHashes } from '../api/canister-state.ts';
import { useCanisterLocked } from '../api/mutations.ts';
import { TopUpDialog } from '../payment/top-up-dialog.tsx';
import { useToggleRunning } from './use-toggle-running.ts';

/** Brings the reading of modules and the picker of registries with it; it is here before the button is pressed. */
const InstallDialog = lazyPage(() => import('../install/install-dialog.tsx'), 'InstallDialog');
const preload = (): void => void InstallDialog.preload();

interface RunningButtonProps {
  readonly canister: Canister;
  /** Wording of the action that starts the canister. */
  readonly startLabel: 'Run' | 'Start';
  readonly size?: ButtonSize;
  readonly place?: ToastPlace | undefined;
}

/** Sets the opposite of the canister's state. */
function RunningButton({ canister, startLabel, size, place }: RunningButtonProps) {
  const { toggle, isPending } = useToggleRunning(canister.id, place);
  const locked = useCanisterLocked(canister.id);
  const running = isRunning(canister);
  return (
    <Button size={size} disabled={locked} busy={isPending} onClick={() => void toggle(running)}>
      {running ? <CircleStop className="size-4" /> : <CirclePlay className="size-4" />}
      {running ? 'Stop' : startLabel}
    </Button>
  );
}

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
        onPointerEnter={preload}
        onFocus={preload}
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
        <DialogBoundary onClose={close}>
          <Suspense fallback={null}>
            <InstallDialog canister={canister} onClose={close} onInstalled={onBalanceMoved} />
          </Suspense>
        </DialogBoundary>
      )}
    </>
  );
}
