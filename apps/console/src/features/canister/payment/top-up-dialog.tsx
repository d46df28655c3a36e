import { amountToCycles, type Canister, formatTrillions } from '@cannery/contract';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { buttonClass } from '../../../components/ui/button.tsx';
import { nextStepOf, serverText } from '../../../lib/api/api-error.ts';
import { cyclesInT } from '../../../lib/text/cycles.ts';
import { shown } from '../../../lib/text/formats.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import type { ToastPlace } from '../../../lib/toasts/toast-table.ts';
import { useTopUp } from '../api/mutations.ts';
import { AmountField } from './amount-field.tsx';
import { BalanceAfter, useBalance } from './balance-after.tsx';
import { useAmount } from './use-amount.ts';

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
  const typed = useAmount(START);
  const { amount } = typed;

  const close = (): void => {
    onOpenChange(false);
    typed.reset();
  };

  const submit = async (): Promise<void> => {
    if (topUp.isPending) return;
    typed.demand();
    if (amount === undefined) return;
    typed.type(amount.text);
    try {
      await topUp.mutateAsync(amount.amount);
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
        amount === undefined
          ? typed.reason
          : `Adds ${formatTrillions(amount.cycles)}${balance === undefined ? '' : ` of your ${cyclesInT(`${balance}`)}`}`
      }
      action="Add Cycles"
      busy={topUp.isPending}
      onAction={() => void submit()}
    >
      <AmountField
        text={typed.text}
        onText={typed.type}
        onLeave={typed.leave}
        error={typed.error}
        disabled={topUp.isPending}
      />
      <AmountPresets
        amount={amount?.amount}
        disabled={topUp.isPending}
        onChoose={(preset) => typed.type(String(preset))}
      />
      <BalanceAfter cost={amount?.cycles} />
    </ActionDialog>
  );
}
