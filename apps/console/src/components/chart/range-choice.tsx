import { useId } from 'react';
import { classNames } from '../../lib/class-names.ts';

interface RangeChoiceProps<Range extends string> {
  /** What is shown over the range, for screen readers. */
  readonly label: string;
  readonly ranges: readonly { readonly value: Range; readonly short: string; readonly long: string }[];
  readonly value: Range;
  readonly onChange: (range: Range) => void;
}

/** How far back a chart goes. */
export function RangeChoice<Range extends string>({
  label,
  ranges,
  value,
  onChange,
}: RangeChoiceProps<Range>) {
  const name = useId();
  return (
    <fieldset className="flex rounded-control border border-line p-0.5">
      <legend className="sr-only">{label}</legend>
      {ranges.map((range) => (
        <label
          key={range.value}
          title={range.long}
          className={classNames(
            'relative flex h-7 min-w-10 cursor-pointer items-center justify-center rounded-[4px] px-2 text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent max-md:h-9',
            range.value === value ? 'bg-accent-soft font-medium text-accent' : 'text-muted hover:text-ink',
          )}
        >
          <input
            type="radio"
            name={name}
            value={range.value}
            checked={range.value === value}
            aria-label={range.long}
            onChange={() => onChange(range.value)}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
          />
          <span aria-hidden="true">{range.short}</span>
        </label>
      ))}
    </fieldset>
  );
}
