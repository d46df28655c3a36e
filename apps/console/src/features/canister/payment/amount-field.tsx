import { cutDecimals, decimalText, readDecimal, topUpRange } from '@cannery/contract';
import { TextField } from '../../../components/ui/text-field.tsx';

interface AmountFieldProps {
  /** In T, as typed. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onLeave: () => void;
  readonly error: string | undefined;
  readonly disabled: boolean;
}

/** The text without decimals that are not paid; what is no number stays as it is. */
function settled(text: string): string {
  const reading = readDecimal(text);
  return 'decimal' in reading ? decimalText(cutDecimals(reading.decimal, 2)) : text;
}

/** The text one step of the field further, from what is in it. */
function stepped(text: string, direction: 1 | -1): string {
  const reading = readDecimal(text);
  if (!('decimal' in reading)) return text;
  const { digits, decimals } = cutDecimals(reading.decimal, 2);
  const hundredths = digits * 10n ** BigInt(2 - decimals);
  const next = hundredths + BigInt(direction * Math.round(topUpRange.inputStep * 100));
  const [least, most] = [topUpRange.inputMin, topUpRange.max].map((bound) => BigInt(Math.round(bound * 100)));
  if (least === undefined || most === undefined) return text;
  const held = next < least ? least : next > most ? most : next;
  return decimalText({ digits: held, decimals: 2 });
}

/**
 * The amount of a top-up. A text field, since a field of type number drops characters and leaves another amount; it keeps
 * the steps of one by the arrow keys.
 */
export function AmountField({ text, onText, onLeave, error, disabled }: AmountFieldProps) {
  const value = Number(settled(text));
  return (
    <TextField
      label="Amount in T cycles"
      hint={`Between ${topUpRange.min} and ${topUpRange.max} T; 1 T is 1,000,000,000,000 cycles.`}
      error={error}
      role="spinbutton"
      inputMode="decimal"
      step={topUpRange.inputStep}
      min={topUpRange.inputMin}
      aria-valuemin={topUpRange.min}
      aria-valuemax={topUpRange.max}
      aria-valuenow={text === '' || Number.isNaN(value) ? undefined : value}
      disabled={disabled}
      value={text}
      onChange={({ target }) => onText(target.value)}
      onBlur={() => {
        onText(settled(text));
        onLeave();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
        event.preventDefault();
        onText(stepped(text, event.key === 'ArrowUp' ? 1 : -1));
      }}
    />
  );
}
