import { formatTrillions } from '@cannery/contract';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { AmountField } from '../payment/amount-field.tsx';
import { BalanceAfter } from '../payment/balance-after.tsx';
import { useAmount } from '../payment/use-amount.ts';

interface BulkTopUpDialogProps {
  readonly count: number;
  /** @param amount of each, in T */
  readonly onTopUp: (amount: number) => void;
  readonly onClose: () => void;
}

/** Asks once how much each of some canisters is to get, and says what it is in all. */
export function BulkTopUpDialog({ count, onTopUp, onClose }: BulkTopUpDialogProps) {
  const typed = useAmount('1');
  const { amount } = typed;
  const total = amount && amount.cycles * BigInt(count);
  return (
    <ActionDialog
      onClose={onClose}
      title={`Add cycles to ${count} ${count === 1 ? 'canister' : 'canisters'}`}
      description="Each of them gets this amount, from the balance of your account."
      note={
        amount === undefined || total === undefined
          ? typed.reason
          : `${count} × ${formatTrillions(amount.cycles)} = ${formatTrillions(total)}`
      }
      action={total === undefined ? 'Add Cycles' : `Add ${formatTrillions(total)}`}
      onAction={() => {
        typed.demand();
        if (amount !== undefined) onTopUp(amount.amount);
      }}
    >
      <AmountField
        text={typed.text}
        onText={typed.type}
        onLeave={typed.leave}
        error={typed.error}
        disabled={false}
      />
      <BalanceAfter cost={total} />
    </ActionDialog>
  );
}
