import { Menu as BaseMenu } from '@base-ui/react/menu';
import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { classNames } from '../../lib/class-names.ts';

const itemClass =
  'flex min-h-9 max-sm:min-h-11 w-full cursor-pointer items-center gap-2.5 rounded-control px-2.5 text-left text-base outline-offset-[-2px] select-none data-highlighted:bg-ink/6 data-disabled:opacity-50';

export interface MenuProps {
  /** The button that opens the menu. */
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly align?: 'start' | 'center' | 'end' | undefined;
  readonly children: ReactNode;
}

/** A menu whose button was pressed before it was there, so that it is open from the start; by the keyboard, at its first entry. */
export function OpenedMenu({
  trigger,
  align = 'end',
  byKeyboard,
  children,
}: MenuProps & { readonly byKeyboard: boolean }) {
  const button = useRef<HTMLButtonElement>(null);
  const isPressed = useRef(false);
  useEffect(() => {
    if (!byKeyboard || isPressed.current) return;
    isPressed.current = true;
    button.current?.focus();
    button.current?.click();
  }, [byKeyboard]);
  return (
    <BaseMenu.Root modal={false} defaultOpen={!byKeyboard}>
      <BaseMenu.Trigger ref={button} render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner align={align} sideOffset={6} className="z-40 outline-none">
          <BaseMenu.Popup className="min-w-52 origin-(--transform-origin) rounded-card border border-line bg-raised p-1 shadow-float outline-none transition-[opacity,scale] duration-100 data-starting-style:scale-98 data-starting-style:opacity-0 data-ending-style:opacity-0">
            {children}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

export interface MenuItemProps {
  readonly icon?: ReactNode;
  readonly onSelect?: () => void;
  /** A link that the item stands for, such as a router link. */
  readonly link?: ReactElement<Record<string, unknown>>;
  readonly disabled?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

export function MenuItem({ icon, onSelect, link, disabled, className, children }: MenuItemProps) {
  const content = (
    <>
      {icon !== undefined && <span className="text-muted [&>svg]:size-4">{icon}</span>}
      {children}
    </>
  );
  if (link) {
    return (
      <BaseMenu.LinkItem render={link} closeOnClick className={classNames(itemClass, className)}>
        {content}
      </BaseMenu.LinkItem>
    );
  }
  return (
    <BaseMenu.Item onClick={onSelect} disabled={disabled} className={classNames(itemClass, className)}>
      {content}
    </BaseMenu.Item>
  );
}

export function MenuSeparator() {
  return <BaseMenu.Separator className="mx-1 my-1 h-px bg-line" />;
}

export interface MenuChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly {
    readonly value: Value;
    readonly label: string;
    /** Small text behind the label. */
    readonly note?: string | undefined;
    readonly mark?: ReactNode;
  }[];
  readonly onChange: (value: Value) => void;
}

/** A group of which one entry is chosen; the menu stays open, so that choices can be compared. */
export function MenuChoice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: MenuChoiceProps<Value>) {
  return (
    <BaseMenu.RadioGroup value={value} onValueChange={(next: Value) => onChange(next)}>
      <BaseMenu.GroupLabel className="px-2.5 pt-1.5 pb-1 text-xs text-muted">{label}</BaseMenu.GroupLabel>
      {options.map((option) => (
        <BaseMenu.RadioItem key={option.value} value={option.value} className={itemClass}>
          {option.mark}
          <span className="flex-1">
            {option.label}
            {option.note !== undefined && <span className="ml-2 text-xs text-muted">{option.note}</span>}
          </span>
          <BaseMenu.RadioItemIndicator className="size-1.5 rounded-full bg-accent" />
        </BaseMenu.RadioItem>
      ))}
    </BaseMenu.RadioGroup>
  );
}
