/** A piece of a text, and whether it is what was looked for. */
interface FoundPart {
  readonly text: string;
  readonly found: boolean;
  /** Where it begins. */
  readonly at: number;
}

/** Splits a text at every place that holds another one, whatever its case. */
export function markFound(text: string, search: string): FoundPart[] {
  const lower = text.toLowerCase();
  // A few letters have more characters in lower case; places in such a text would not be those of the text.
  if (search === '' || lower.length !== text.length) return [{ text, found: false, at: 0 }];
  const wanted = search.toLowerCase();
  const parts: FoundPart[] = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), found: false, at: from });
    from = at + wanted.length;
    parts.push({ text: text.slice(at, from), found: true, at });
  }
  if (from < text.length) parts.push({ text: text.slice(from), found: false, at: from });
  return parts;
}
