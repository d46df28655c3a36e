import type { ReactNode } from 'react';
import { controlClass, Field } from '../../../components/ui/field.tsx';
import { SelectBox } from '../../../components/ui/select-box.tsx';
import type { Quantity, Units } from './quantity.ts';

interface QuantityFieldProps {
  readonly label: string;
  readonly hint: ReactNode;
  readonly error: string | undefined;
  readonly units: Units;
  readonly value: Quantity;
  readonly onChange: (next: Quantity) => void;
  /** What the amount would mean, beneath the field. */
  readonly note?: ReactNode;
}

/** A number with its unit; with one unit only, the unit is written behind it. */
export function QuantityField({ label, hint, error, units, value, onChange, note }: QuantityFieldProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <Field label={label} hint={hint} error={error}>
        {({ control, describedBy }) => (
          <span className="flex gap-2">
            <input
              id={control}
              inputMode="decimal"
              autoComplete="off"
              value={value.text}
              aria-invalid={error !== undefined || undefined}
              aria-describedby={describedBy}
              onChange={(event) => onChange({ ...value, text: event.target.value })}
              className={controlClass('h-9 min-w-0 flex-1')}
            />
            {units.length === 1 ? (
              <span className="flex w-28 items-center text-muted">{value.unit}</span>
            ) : (
              <SelectBox
                aria-label={`Unit of ${label.toLowerCase()}`}
                className="w-28 shrink-0"
                options={units.map(({ name }) => ({ value: name, label: name }))}
                value={value.unit}
                onChange={(unit) => onChange({ ...value, unit })}
              />
            )}
          </span>
        )}
      </Field>
      {note}
    </div>
  );
}
