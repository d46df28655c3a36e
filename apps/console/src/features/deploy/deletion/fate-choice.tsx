import type { CanisterFate } from '@cannery/contract';
import type { ReactNode } from 'react';
import { classNames } from '../../../lib/class-names.ts';

interface FateChoiceProps {
  readonly fate: CanisterFate | undefined;
  readonly onFate: (fate: CanisterFate) => void;
  readonly disabled: boolean;
  /** What deleting the canisters comes to. */
  readonly loss: ReactNode;
}

/** What becomes of the canisters of a DApp that is deleted. */
export function FateChoice({ fate, onFate, disabled, loss }: FateChoiceProps) {
  const choices = [
    {
      value: 'keep',
      label: 'Keep the canisters',
      note: 'They stay in your account as they are.',
    },
    { value: 'delete', label: 'Delete the canisters', note: loss },
  ] as const;
  return (
    <fieldset disabled={disabled} className="flex flex-col gap-2">
      <legend className="sr-only">Canisters</legend>
      {choices.map(({ value, label, note }) => (
        <label
          key={value}
          className={classNames(
            'flex cursor-pointer gap-2.5 rounded-card border px-3 py-2.5 has-focus-visible:outline-2 has-focus-visible:outline-accent',
            value !== fate && 'border-line hover:border-control',
            value === fate &&
              (value === 'delete' ? 'border-bad bg-bad-soft' : 'border-accent bg-accent-soft'),
          )}
        >
          <input
            type="radio"
            name="fate"
            value={value}
            checked={value === fate}
            onChange={() => onFate(value)}
            className="mt-1 size-3.5 shrink-0 accent-accent"
          />
          <span>
            <span className="block font-medium">{label}</span>
            <span className="block text-sm text-muted">{note}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
