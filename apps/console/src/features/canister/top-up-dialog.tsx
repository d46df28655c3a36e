import {
  amountToCycles,
  isTopUpAmount,
  topUpForm,
  topUpRange,
  trimAmount,
  type Canister,
} from '@cannery/contract';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, useWatch } from 'react-hook-form';
import { Button } from '../../components/ui/button.tsx';
import { Dialog } from '../../components/ui/dialog.tsx';
import { TextField } from '../../components/ui/text-field.tsx';
import { nextStepOf, serverText } from '../../lib/describe-error.ts';
import { shown } from '../../lib/formats.ts';
import { toast, toastDurations } from '../../lib/toast-store.ts';
import { AmountPresets } from './amount-presets.tsx';
import { BalanceAfter } from './balance-after.tsx';
import { useTopUp } from './mutations.ts';

interface TopUpDialogProps {
  readonly canister: Canister;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onToppedUp: () => void;
  /** Milliseconds the messages stay. */
  readonly duration?: number;
}

/** Moves cycles from the account to a canister. */
export function TopUpDialog({
  canister,
  open,
  onOpenChange,
  onToppedUp,
  duration = toastDurations.canister,
}: TopUpDialogProps) {
  const topUp = useTopUp(canister.id);
  const { register, control, handleSubmit, reset, setValue, formState } = useForm({
    resolver: zodResolver(topUpForm),
    defaultValues: { amount: 1 },
    reValidateMode: 'onChange',
  });

  const amount = useWatch({ control, name: 'amount' });
  const cost = isTopUpAmount(amount) ? amountToCycles(amount) : undefined;

  const close = (): void => {
    onOpenChange(false);
    reset();
  };

  const submit = handleSubmit(async ({ amount }) => {
    try {
      await topUp.mutateAsync(amount);
      toast.success('Cycles Added', { duration });
      onToppedUp();
      close();
    } catch (failure) {
      const text = serverText(failure, 'Something went wrong. Try again later');
      toast.error(text, { duration, hint: nextStepOf(failure) });
    }
  });

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
      <TextField
        label="Amount in T cycles"
        hint={`Between ${topUpRange.min} and ${topUpRange.max} T; 1 T is 1,000,000,000,000 cycles.`}
        error={formState.errors.amount?.message}
        type="number"
        inputMode="decimal"
        step={topUpRange.inputStep}
        min={topUpRange.inputMin}
        disabled={topUp.isPending}
        {...register('amount', {
          valueAsNumber: true,
          onBlur: (event: { target: { value: string } }) => {
            const amount = event.target.value === '' ? Number.NaN : Number(event.target.value);
            if (Number.isFinite(amount)) setValue('amount', trimAmount(amount));
          },
        })}
      />
      <AmountPresets
        amount={amount}
        disabled={topUp.isPending}
        onChoose={(preset) =>
          setValue('amount', preset, { shouldValidate: formState.isSubmitted, shouldDirty: true })
        }
      />
      <BalanceAfter cost={cost} />
    </Dialog>
  );
}
