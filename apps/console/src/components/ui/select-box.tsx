import { ChevronsUpDown } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { controlClass } from './field.tsx';

export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

type SelectName = { readonly id: string } | { readonly 'aria-label': string };

type SelectBoxProps<Value extends string> = SelectName & {
  readonly options: readonly SelectOption<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly onBlur?: (() => void) | undefined;
  readonly disabled?: boolean | undefined;
  readonly mono?: boolean;
  readonly invalid?: boolean;
  readonly describedBy?: string | undefined;
  /** `quiet` has no border before it is pointed at; for bars. */
  readonly look?: 'field' | 'small' | 'quiet';
  /** Of the place it takes. */
  readonly className?: string;
};

const looks = {
  field: controlClass('h-9 pr-9'),
  small: controlClass('h-8 pr-8 pl-2.5 text-sm'),
  quiet:
    'h-7 max-sm:h-11 w-full rounded-control border border-transparent bg-transparent pr-7 pl-2 text-sm text-ink hover:border-control',
};

/** A browser that does not know the selector throws where it is asked for it. */
const KNOWS_OPEN = typeof CSS !== 'undefined' && CSS.supports('selector(:open)');

/** With its list open, Escape closes the list and nothing that it is in. */
function keepEscape(event: KeyboardEvent<HTMLSelectElement>): void {
  if (event.key === 'Escape' && KNOWS_OPEN && event.currentTarget.matches(':open')) event.stopPropagation();
}

/**
 * One value out of a list, without its own label. It is the browser's select, so that it costs no script, opens at once
 * and is the phone's wheel on a phone; where the browser can, its list looks like the menus (`select-box` of the style sheet).
 */
export function SelectBox<Value extends string>({
  options,
  value,
  onChange,
  onBlur,
  disabled,
  mono = false,
  invalid = false,
  describedBy,
  look = 'field',
  className,
  ...name
}: SelectBoxProps<Value>) {
  return (
    <span className={classNames('relative block min-w-0', className)}>
      <select
        {...name}
        value={value}
        disabled={disabled}
        onBlur={onBlur}
        onKeyDown={keepEscape}
        onChange={({ target }) => {
          const chosen = options.find((option) => option.value === target.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        className={classNames('select-box cursor-pointer truncate', looks[look], mono && 'font-mono text-sm')}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronsUpDown
        className="pointer-events-none absolute top-1/2 right-2 size-3.5 -translate-y-1/2 text-muted"
        aria-hidden="true"
      />
    </span>
  );
}
