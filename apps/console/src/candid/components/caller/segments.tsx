import { useId } from 'react';
import { classNames } from '../../../lib/class-names.ts';

interface SegmentsProps<Value extends string> {
  /** What is chosen between, for screen readers. */
  readonly legend: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** One of a few ways, side by side. */
export function Segments<Value extends string>({ legend, options, value, onChange }: SegmentsProps<Value>) {
  const group = useId();
  return (
    <fieldset className="flex w-fit max-w-full flex-wrap overflow-hidden rounded-control border border-control/60 bg-surface">
      <legend className="sr-only">{legend}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={classNames(
            'relative grid min-h-7 cursor-pointer max-sm:min-h-10 place-items-center px-3 max-sm:px-2 text-xs font-medium whitespace-nowrap has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent',
            value === option.value ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-ink/6',
          )}
        >
          <input
            type="radio"
            name={group}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
            className="sr-only"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
