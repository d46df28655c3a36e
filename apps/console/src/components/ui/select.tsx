import { Select as BaseSelect } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import { classNames } from '../../lib/class-names.ts';
import { controlClass } from './control-class.ts';
import { Field, type FieldLook } from './field.tsx';

export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

interface SelectProps<Value extends string> extends FieldLook {
  readonly options: readonly SelectOption<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly onBlur?: () => void;
  readonly disabled?: boolean;
  readonly mono?: boolean;
}

/** One value out of a list. */
export function Select<Value extends string>({
  label,
  hint,
  error,
  options,
  value,
  onChange,
  onBlur,
  disabled,
  mono = false,
}: SelectProps<Value>) {
  const type = mono ? 'font-mono text-sm' : 'text-base';
  return (
    <Field label={label} hint={hint} error={error}>
      {({ control, describedBy }) => (
        <BaseSelect.Root<Value>
          items={[...options]}
          value={value}
          disabled={disabled}
          onValueChange={(next) => {
            if (next !== null) onChange(next);
          }}
        >
          <BaseSelect.Trigger
            id={control}
            onBlur={onBlur}
            aria-invalid={error !== undefined || undefined}
            aria-describedby={describedBy}
            className={controlClass(
              classNames('flex h-9 cursor-pointer items-center justify-between gap-2 text-left', type),
            )}
          >
            <BaseSelect.Value className="truncate" />
            <BaseSelect.Icon className="text-muted">
              <ChevronsUpDown className="size-4" />
            </BaseSelect.Icon>
          </BaseSelect.Trigger>
          <BaseSelect.Portal>
            {/* Fixed, as the dialog may be that holds it: it stays there while the page beneath scrolls. */}
            <BaseSelect.Positioner
              positionMethod="fixed"
              sideOffset={4}
              alignItemWithTrigger={false}
              className="z-50 outline-none"
            >
              <BaseSelect.Popup className="max-h-[min(20rem,var(--available-height))] min-w-(--anchor-width) origin-(--transform-origin) overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-float outline-none transition-[opacity,scale] duration-100 data-starting-style:scale-98 data-starting-style:opacity-0 data-ending-style:opacity-0">
                {options.map((option) => (
                  <BaseSelect.Item
                    key={option.value}
                    value={option.value}
                    className={classNames(
                      'flex h-9 max-sm:h-11 cursor-pointer items-center gap-2 rounded-control px-2 pr-4 outline-offset-[-2px] data-highlighted:bg-ink/6',
                      type,
                    )}
                  >
                    <span className="grid size-4 place-items-center text-accent">
                      <BaseSelect.ItemIndicator>
                        <Check className="size-4" />
                      </BaseSelect.ItemIndicator>
                    </span>
                    <BaseSelect.ItemText>{option.label}</BaseSelect.ItemText>
                  </BaseSelect.Item>
                ))}
              </BaseSelect.Popup>
            </BaseSelect.Positioner>
          </BaseSelect.Portal>
        </BaseSelect.Root>
      )}
    </Field>
  );
}
