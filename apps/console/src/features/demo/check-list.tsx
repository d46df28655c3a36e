import { useState } from 'react';

interface CheckListProps {
  readonly label: string;
  readonly items: readonly { readonly text: string; readonly done: boolean }[];
}

/** Items that can be ticked off; the ticks are gone with the page. */
export function CheckList({ label, items }: CheckListProps) {
  const [done, setDone] = useState<ReadonlySet<string>>(
    () => new Set(items.filter((item) => item.done).map(({ text }) => text)),
  );
  const tick = (text: string, on: boolean): void =>
    setDone((before) => {
      const next = new Set(before);
      if (on) next.add(text);
      else next.delete(text);
      return next;
    });
  return (
    <ul aria-label={label}>
      {items.map(({ text }) => (
        <li key={text} className="border-t border-line first:border-0">
          <label className="flex min-h-11 cursor-pointer items-center gap-3 px-5 py-2 hover:bg-ink/3">
            <input
              type="checkbox"
              checked={done.has(text)}
              onChange={(event) => tick(text, event.target.checked)}
              className="size-4 shrink-0 accent-accent"
            />
            <span className={done.has(text) ? 'text-muted line-through' : undefined}>{text}</span>
          </label>
        </li>
      ))}
    </ul>
  );
}
