import { formatTrillions, readTopUp } from '@cannery/contract';
import { useState } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { AmountField } from '../payment/amount-field.tsx';
import { BalanceAfter } from '../payment/balance-after.tsx';

interface BulkTopUpDialogProps {
  readonly count: number;
  /** @param amount of each, in T */
  readonly onTopUp: (amount: number) => void;
  readonly onClose: () => void;
}

/** Asks once how much each of some canisters is to get, and says what it is in all. */
export function BulkTopUpDialog({ count, onTopUp, onClose }: BulkTopUpDialogProps) {
  const [text, setText] = useState('1');
  const [tried, setTried] = useState(false);
  const reading = readTopUp(text);
  const isAmount = 'cycles' in reading;
  const total = isAmount ? reading.cycles * BigInt(count) : undefined;
  return (
    <ActionDialog
      onClose={onClose}
      title={`Add cycles to ${count} ${count === 1 ? 'canister' : 'canisters'}`}
      description="Each of them gets this amount, from the balance of your account."
      note={
        total !== undefined && isAmount
          ? `${count} × ${formatTrillions(reading.cycles)} = ${formatTrillions(total)}`
          : 'problem' in reading && text.trim() !== ''
            ? reading.problem
            : undefined
      }
      action={total === undefined ? 'Add Cycles' : `Add ${formatTrillions(total)}`}
      onAction={() => {
        setTried(true);
        if (isAmount) onTopUp(reading.amount);
      }}
    >
      <AmountField
        text={text}
        onText={setText}
        error={tried && !isAmount ? reading.error : undefined}
        disabled={false}
      />
      <BalanceAfter cost={total} />
    </ActionDialog>
  );
}
