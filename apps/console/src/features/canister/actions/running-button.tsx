import type { Canister } from '@cannery/contract';
import { CirclePlay, CircleStop } from 'lucide-react';
import { Button } from '../../../components/ui/button.tsx';
import type { ButtonSize } from '../../../components/ui/button-class.ts';
import type { ToastPlace } from '../../../lib/toasts/toast-table.ts';
import { isRunning } from '../api/canister-state.ts';
import { useCanisterLocked } from '../api/mutations.ts';
import { useToggleRunning } from './use-toggle-running.ts';

interface RunningButtonProps {
  readonly canister: Canister;
  /** Wording of the action that starts the canister. */
  readonly startLabel: 'Run' | 'Start';
  readonly size?: ButtonSize;
  readonly place?: ToastPlace | undefined;
}

/** Sets the opposite of the canister's state. */
export function RunningButton({ canister, startLabel, size, place }: RunningButtonProps) {
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
