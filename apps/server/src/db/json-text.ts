const REPLACEMENT = '\uFFFD';
/** Escapes as `JSON.stringify` writes them; of two backslashes, the second begins none. */
const ESCAPES = /\\(?:\\|u0000|ud[89a-f][\da-f]{2})/g;

/**
 * JSON for a column of the type jsonb. Texts of tenants may have what Postgres refuses there: the character NUL, and halves of
 * characters. A replacement character is written for each.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(ESCAPES, (escape) => (escape === '\\\\' ? escape : REPLACEMENT));
}
