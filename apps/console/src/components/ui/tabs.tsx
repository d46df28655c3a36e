import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

export interface TabEntry<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

interface TabsProps<Value extends string> {
  readonly tabs: readonly TabEntry<Value>[];
  /** The open one; null while none is. */
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  readonly label: string;
  /** Of when what the tabs show is, where that is worth saying; at the end of their row, which does not move for it. */
  readonly age?: ReactNode;
}

/** A row of tabs with an underline at the open one, and its panel. */
export function Tabs<Value extends string>({ tabs, value, onChange, label, age }: TabsProps<Value>) {
  return (
    <BaseTabs.Root value={value} onValueChange={(next: Value) => onChange(next)} className="relative">
      <BaseTabs.List aria-label={label} className="relative flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <BaseTabs.Tab
            key={tab.value}
            value={tab.value}
            className="h-10 max-sm:h-11 cursor-pointer rounded-t-control px-3 font-medium whitespace-nowrap text-muted outline-offset-[-2px] hover:text-ink data-active:text-ink"
          >
            {tab.label}
          </BaseTabs.Tab>
        ))}
        <BaseTabs.Indicator className="absolute bottom-0 left-0 h-0.5 w-(--active-tab-width) translate-x-(--active-tab-left) bg-accent transition-[translate,width] duration-150 ease-out" />
      </BaseTabs.List>
      {age !== undefined && (
        <div className="absolute top-0 right-0 flex h-10 items-center bg-page pl-3 empty:hidden max-sm:h-11">
          {age}
        </div>
      )}
      {tabs.map((tab) => (
        <BaseTabs.Panel
          key={tab.value}
          value={tab.value}
          className="rounded-card pt-5 data-ending-style:hidden"
        >
          {/* A panel that is left may stay for a moment; what it had goes at once. */}
          {tab.value === value && tab.content}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  );
}
