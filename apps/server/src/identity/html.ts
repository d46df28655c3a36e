/** Text that is safe to send as HTML. A class, so that no value of others is taken for it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

type Part = string | number | Html | null | readonly (string | Html)[];

function render(part: Part): string {
  if (part === null) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number')
    return String(part).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
  return part.map(render).join('');
}

/** HTML from a template; every value that is not HTML already is escaped, for text and quoted attributes. */
function template(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(strings.map((text, index) => text + render(values[index] ?? null)).join(''));
}

export const html = Object.assign(template, {
  /** HTML of ours as it is. */
  raw: (text: string): Html => new Html(text),
});
