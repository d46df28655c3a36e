import { amountToCycles } from '@cannery/contract';
import { buttonClass } from '../../../components/ui/button-class.ts';
import { useBalance } from './use-balance.ts';

/** Amounts in T that most top-ups are of. */
const presets = [0.1, 0.5, 1, 5] as const;

interface AmountPresetsProps {
  /** In T; undefined while there is none. */
  readonly amount: number | undefined;
  readonly onChoose: (amount: number) => void;
  readonly disabled: boolean;
}

/** Usual amounts, each a press away; what the balance is known not to cover is not offered. */
export function AmountPresets({ amount, onChoose, disabled }: AmountPresetsProps) {
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
