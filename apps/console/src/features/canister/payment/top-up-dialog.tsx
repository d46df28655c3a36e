import { formatTrillions, readTopUp, type Canister } from '@cannery/contract';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Dialog } from '../../../components/ui/dialog.tsx';
import { cyclesInT } from '../../../lib/text/cycles.ts';
import { nextStepOf, serverText } from '../../../lib/api/describe-error.ts';
import { shown } from '../../../lib/text/formats.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import type { ToastPlace } from '../../../lib/toasts/toast-table.ts';
import { AmountField } from './amount-field.tsx';
import { AmountPresets } from './amount-presets.tsx';
import { BalanceAfter } from './balance-after.tsx';
import { useTopUp } from '../api/mutations.ts';
import { useBalance } from './use-balance.ts';

interface TopUpDialogProps {
  readonly canister: Canister;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onToppedUp: () => void;
  readonly place?: ToastPlace | undefined;
}

const START = '1';

/** Moves cycles from the account to a canister: the amount in the field when the button is pressed. */
export function TopUpDialog({
  canister,
  open,
  onOpenChange,
  onToppedUp,
  place = 'canister',
}: TopUpDialogProps) {
  const topUp = useTopUp(canister.id);
  const balance = useBalance();
  const [text, setText] = useState(START);
  const [tried, setTried] = useState(false);
  const reading = readTopUp(text);
  const isAmount = 'cycles' in reading;

  const close = (): void => {
    onOpenChange(false);
    setText(START);
    setTried(false);
  };

  const submit = async (): Promise<void> => {
    if (topUp.isPending) return;
    setTried(true);
    if (!isAmount) return;
    setText(reading.text);
    try {
      await topUp.mutateAsync(reading.amount);
      toast.tell(`${place}: cycles added`);
      onToppedUp();
      close();
    } catch (failure) {
      const reason = serverText(failure, 'Something went wrong. Try again later');
      toast.tell(`${place}: cycles not added`, { text: reason, hint: nextStepOf(failure) });
    }
  };

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(true) : close())}
      locked={topUp.isPending}
      title="Add Cycles"
      description={
        <>
          To <b className="font-semibold text-ink">{shown(canister.name)}</b>, from the balance of your
          account.
        </>
      }
      onSubmit={() => void submit()}
      note={
        isAmount
          ? `Adds ${formatTrillions(reading.cycles)}${balance === undefined ? '' : ` of your ${cyclesInT(`${balance}`)}`}`
          : text.trim() === ''
            ? undefined
            : reading.problem
      }
      footer={
        <>
          <Button type="submit" variant="primary" busy={topUp.isPending}>
            Add Cycles
          </Button>
          <Button disabled={topUp.isPending} onClick={close}>
            Cancel
          </Button>
        </>
      }
    >
      <AmountField
        text={text}
        onText={setText}
        error={tried && !isAmount ? reading.error : undefined}
        disabled={topUp.isPending}
      />
      <AmountPresets
        amount={isAmount ? reading.amount : undefined}
        disabled={topUp.isPending}
        onChoose={(preset) => setText(String(preset))}
      />
      <BalanceAfter cost={isAmount ? reading.cycles : undefined} />
    </Dialog>
  );
}
