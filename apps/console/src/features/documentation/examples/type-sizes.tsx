const sizes = [
  ['text-2xl font-semibold', '28', 'Title of a page'],
  ['text-xl font-semibold', '20', 'Title of a part'],
  ['text-lg font-semibold', '16', 'Title of a card'],
  ['text-base', '14', 'Text'],
  ['text-sm', '13', 'Hints and small buttons'],
  ['text-xs', '12', 'Labels in a table'],
] as const;

/** Six sizes, in pixels. */
export function TypeSizes() {
  return (
    <dl className="flex flex-col gap-3">
      {sizes.map(([look, pixels, use]) => (
        <div key={look} className="flex items-baseline gap-4">
          <dt className="w-8 shrink-0 text-right font-mono text-xs text-muted">{pixels}</dt>
          <dd className={look}>{use}</dd>
        </div>
      ))}
    </dl>
  );
}
