import { Combobox } from '@base-ui/react/combobox';
import { Check, ChevronsUpDown, X } from 'lucide-react';
import { controlClass, Field, type FieldLook } from './field.tsx';
import { IconButton } from './icon-button.tsx';

export interface PickerOption {
  readonly value: string;
  readonly label: string;
  /** Small text behind the label that tells options of one label apart. */
  readonly note?: string;
}

interface PickerProps extends FieldLook {
  readonly options: readonly PickerOption[];
  /** Undefined while nothing is chosen. */
  readonly value: string | undefined;
  /** The option of `value`, where `options` need not hold it. */
  readonly chosen?: PickerOption;
  readonly onChange: (value: string | undefined) => void;
  /** Told what is typed, for options that are searched elsewhere: all of them are shown then. '' when it is closed. */
  readonly onSearch?: (text: string) => void;
  readonly placeholder: string;
  /** Said where nothing fits what was typed. */
  readonly nothingFits: string;
  readonly disabled?: boolean;
  /** There is always one chosen. */
  readonly required?: boolean;
}

/** Options on show at a time; the rest is found by typing, so that the page stays light with thousands of them. */
const MOST_SHOWN = 25;

/** Escape in a closed picker would empty it; here it closes the dialog that the picker is in, as in any other field. */
function keepOnEscape(
  details: Pick<Combobox.Root.ChangeEventDetails, 'reason' | 'cancel' | 'allowPropagation'>,
): void {
  if (details.reason !== 'escape-key') return;
  details.cancel();
  details.allowPropagation();
}

/** None or one value out of a list that may be long: typing a part of a name narrows it. */
export function Picker({
  label,
  hint,
  error,
  options,
  value,
  chosen: given,
  onChange,
  onSearch,
  placeholder,
  nothingFits,
  disabled = false,
  required = false,
}: PickerProps) {
  const chosen = given ?? options.find((option) => option.value === value) ?? null;
  return (
    <Field label={label} hint={hint} error={error}>
      {({ control, describedBy }) => (
        <Combobox.Root<PickerOption>
          items={options}
          value={chosen}
          disabled={disabled}
          limit={MOST_SHOWN}
          autoHighlight
          isItemEqualToValue={(one, other) => one.value === other.value}
          filter={onSearch ? null : undefined}
          onInputValueChange={(text, details) => {
            keepOnEscape(details);
            if (details.reason === 'input-change') onSearch?.(text.trim());
          }}
          onOpenChangeComplete={(open) => !open && onSearch?.('')}
          onValueChange={(next, details) => {
            keepOnEscape(details);
            if (!details.isCanceled) onChange(next?.value);
          }}
        >
          <div className="relative">
            <Combobox.Input
              id={control}
              aria-describedby={describedBy}
              placeholder={placeholder}
              autoComplete="off"
              spellCheck={false}
              className={controlClass('h-9 pr-18')}
            />
            <div className="absolute inset-y-0 right-1 flex items-center">
              {chosen !== null && !required && (
                <Combobox.Clear
                  render={<IconButton label={`Choose no ${label.toLowerCase()}`} size="small" />}
                >
                  <X className="size-4" />
                </Combobox.Clear>
              )}
              <Combobox.Trigger render={<IconButton label={`Show ${label.toLowerCase()}`} size="small" />}>
                <ChevronsUpDown className="size-4" />
              </Combobox.Trigger>
            </div>
          </div>
          <Combobox.Portal>
            {/* Fixed, as the dialog may be that holds it: it stays there while the page beneath scrolls. */}
            <Combobox.Positioner positionMethod="fixed" sideOffset={4} className="z-50 outline-none">
              <Combobox.Popup className="max-h-[min(20rem,var(--available-height))] w-(--anchor-width) origin-(--transform-origin) overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-float outline-none transition-[opacity,scale] duration-100 data-starting-style:scale-98 data-starting-style:opacity-0 data-ending-style:opacity-0">
                <Combobox.Empty className="text-sm text-muted not-empty:px-3 not-empty:py-2">
                  {nothingFits}
                </Combobox.Empty>
                <Combobox.List>
                  {(option: PickerOption) => (
                    <Combobox.Item
                      key={option.value}
                      value={option}
                      className="flex min-h-9 max-sm:min-h-11 cursor-pointer items-center gap-2 rounded-control px-2 pr-3 data-highlighted:bg-ink/6"
                    >
                      <span className="grid size-4 shrink-0 place-items-center text-accent">
                        <Combobox.ItemIndicator>
                          <Check className="size-4" />
                        </Combobox.ItemIndicator>
                      </span>
                      <span className="min-w-0 flex-1 truncate">{option.label}</span>
                      {option.note !== undefined && (
                        <span className="shrink-0 font-mono text-xs text-muted">{option.note}</span>
                      )}
                    </Combobox.Item>
                  )}
                </Combobox.List>
              </Combobox.Popup>
            </Combobox.Positioner>
          </Combobox.Portal>
        </Combobox.Root>
      )}
    </Field>
  );
}
