/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | null | readonly Html[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function rendered(part: Part): string {
  if (part === null) return '';
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return (part as readonly Html[]).map((one) => one.text).join('');
  return String(part).replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}

/** HTML from a template; every value that is not HTML already is escaped, for text and quoted attributes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    strings
      .map((text, index) => text + (index < parts.length ? rendered(parts[index] ?? null) : ''))
      .join(''),
  );
}
