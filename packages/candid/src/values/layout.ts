/** A text that can be printed on one line or, where it is too wide, one item per line. */
export type Layout =
  | string
  | { readonly prefix: string; readonly of: Layout }
  | {
      readonly open: string;
      readonly separator: string;
      readonly close: string;
      readonly items: readonly Layout[];
      /** No space inside the brackets when on one line. */
      readonly tight?: boolean;
    };

/** Prints a layout; a group that would pass `width` columns is broken, two spaces deeper per level. */
export function render(layout: Layout, width: number): string {
  const widths = new Map<Layout, number>();
  const flatWidth = (part: Layout): number => {
    if (typeof part === 'string') return part.length;
    const known = widths.get(part);
    if (known !== undefined) return known;
    const measured =
      'of' in part
        ? part.prefix.length + flatWidth(part.of)
        : part.open.length +
          part.close.length +
          2 +
          part.items.reduce((sum, item) => sum + flatWidth(item) + 2, 0);
    widths.set(part, measured);
    return measured;
  };
  const print = (part: Layout, indent: number, column: number): string => {
    if (typeof part === 'string') return part;
    if ('of' in part) return part.prefix + print(part.of, indent, column + part.prefix.length);
    const { open, separator, close, items, tight } = part;
    if (items.length === 0) return open + close;
    if (column + flatWidth(part) <= width) {
      const inner = items.map((item) => print(item, indent, column)).join(`${separator} `);
      return tight ? `${open}${inner}${close}` : `${open} ${inner} ${close}`;
    }
    const margin = ' '.repeat(indent + 2);
    const lines = items.map((item) => `${margin}${print(item, indent + 2, indent + 2)}${separator}\n`);
    return `${open}\n${lines.join('')}${' '.repeat(indent)}${close}`;
  };
  return print(layout, 0, 0);
}
