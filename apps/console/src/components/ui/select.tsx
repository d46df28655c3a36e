import { Field, type FieldLook } from './field.tsx';
import { SelectBox, type SelectOption } from './select-box.tsx';

interface SelectProps<Value extends string> extends FieldLook {
  readonly options: readonly SelectOption<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly onBlur?: () => void;
  readonly disabled?: boolean;
  readonly mono?: boolean;
}

/** One value out of a list, with its label. */
export function Select<Value extends string>({ label, hint, error, ...box }: SelectProps<Value>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {({ control, describedBy }) => (
        <SelectBox {...box} id={control} describedBy={describedBy} invalid={error !== undefined} />
      )}
    </Field>
  );
}
