/** The entries of a table in a settings file. */
export type Fields = Readonly<Record<string, unknown>>;

/** A table, or an empty one for anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** A text that is not blank, or null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** Texts of a list; a single text counts as a list of it. */
export function textsOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.map(textOf).filter((text) => text !== null);
}

/** Elements of a list, or none for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
