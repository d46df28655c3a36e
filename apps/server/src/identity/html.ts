/** Text that is safe to send as HTML. */
export interface Html {
  readonly text: string;
}

type Part = string | Html | readonly (string | Html)[];

function render(part: Part): string {
  if (typeof part === 'string')
    return part.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return 'text' in part ? part.text : part.map(render).join('');
}

/** A template whose values are escaped, unless they are HTML themselves. */
function template(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  return { text: strings.map((text, index) => text + render(values[index] ?? '')).join('') };
}

export const html = Object.assign(template, { raw: (text: string): Html => ({ text }) });
