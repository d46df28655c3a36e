import { amountToCycles, type Canister, formatTrillions, readTopUp } from '@cannery/contract';
import { useState } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { buttonClass } from '../../../components/ui/button.tsx';
import { nextStepOf, serverText } from '../../../lib/api/api-error.ts';
import { cyclesInT } from '../../../lib/text/cycles.ts';
import { shown } from '../../../lib/text/formats.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import type { ToastPlace } from '../../../lib/toasts/toast-table.ts';
import { useTopUp } from '../api/mutations.ts';
import { amountReason, isUnfinished } from './amount-doubt.ts';
import { AmountField } from './amount-field.tsx';
import { BalanceAfter, useBalance } from './balance-after.tsx';

/** Amounts in T that most top-ups are of. */
const presets = [0.1, 0.5, 1, 5] as const;

interface AmountPresetsProps {
  /** In T; undefined while there is none. */
  readonly amount: number | undefined;
  readonly onChoose: (amount: number) => void;
  readonly disabled: boolean;
}

/** Usual amounts, each a press away; what the balance is known not to cover is not offered. */
function AmountPresets({ amount, onChoose, disabled }: AmountPresetsProps) {
  const balance = useBalance();
  return (
    <div role="group" aria-label="Usual amounts" className="grid grid-cols-4 gap-2">
      {presets.map((preset) => (
        <button
          key={preset}
          type="button"
          aria-pressed={amount === preset}
          disabled={disabled || (balance !== undefined && balance < amountToCycles(preset))}
          onClick={() => onChoose(preset)}
          className={buttonClass({
            size: 'small',
            className: 'aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent',
          })}
        >
          {preset} T
        </button>
      ))}
    </div>
  );
}

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
  /** Whether the field was left with what it says: nothing more is typed then. */
  const [left, setLeft] = useState(false);
  const reading = readTopUp(text);
  const isAmount = 'cycles' in reading;
  const isWrong = !isAmount && (tried || (left && text.trim() !== '') || !isUnfinished(text));
  const type = (next: string): void => {
    setText(next);
    setLeft(false);
  };

  const close = (): void => {
    onOpenChange(false);
    setText(START);
    setTried(false);
    setLeft(false);
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
    <ActionDialog
      open={open}
      onClose={close}
      title="Add Cycles"
      description={
        <>
          To <b className="font-semibold text-ink">{shown(canister.name)}</b>, from the balance of your
          account.
        </>
      }
      note={
        isAmount
          ? `Adds ${formatTrillions(reading.cycles)}${balance === undefined ? '' : ` of your ${cyclesInT(`${balance}`)}`}`
          : isWrong
            ? amountReason(text, reading)
            : undefined
      }
      action="Add Cycles"
      busy={topUp.isPending}
      onAction={() => void submit()}
    >
      <AmountField
        text={text}
        onText={type}
        onLeave={() => setLeft(true)}
        error={isWrong ? reading.error : undefined}
        disabled={topUp.isPending}
      />
      <AmountPresets
        amount={isAmount ? reading.amount : undefined}
        disabled={topUp.isPending}
        onChoose={(preset) => type(String(preset))}
      />
      <BalanceAfter cost={isAmount ? reading.cycles : undefined} />
    </ActionDialog>
  );
}
