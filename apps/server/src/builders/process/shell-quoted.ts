/** A text as one word of a shell, in which nothing has a meaning. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
