import type { Canister } from '@cannery/contract';
import { CirclePlay, CircleStop } from 'lucide-react';
import { Button } from '../../components/ui/button.tsx';
import type { ButtonSize } from '../../components/ui/button-class.ts';
import { nextStepOf, serverText } from '../../lib/describe-error.ts';
import { toast, toastDurations } from '../../lib/toast-store.ts';
import { isRunning } from './canister-state.ts';
import { useCanisterLocked, useSetRunning } from './mutations.ts';

interface RunningButtonProps {
  readonly canister: Canister;
  /** Wording of the action that starts the canister. */
  readonly startLabel: 'Run' | 'Start';
  readonly size?: ButtonSize;
  readonly duration?: number;
}

/** Sets the opposite of the canister's state. */
export function RunningButton({
  canister,
  startLabel,
  size,
  duration = toastDurations.canister,
}: RunningButtonProps) {
  const setRunning = useSetRunning(canister.id);
  const locked = useCanisterLocked(canister.id);
  const running = isRunning(canister);

  const toggle = async (): Promise<void> => {
    try {
      await setRunning.mutateAsync(!running);
      toast.success(running ? 'Canister stopped' : 'Canister started', { duration });
    } catch (failure) {
      toast.error(serverText(failure), { duration, hint: nextStepOf(failure) });
    }
  };

  return (
    <Button size={size} disabled={locked} busy={setRunning.isPending} onClick={() => void toggle()}>
      {running ? <CircleStop className="size-4" /> : <CirclePlay className="size-4" />}
      {running ? 'Stop' : startLabel}
    </Button>
  );
}
