import pg from 'pg';

/** A statement that begins with this keeps its plan. */
export const PREPARED = '/* prepared */ ';

/** All of them are in our code, and have no parts that vary; were there more, the others would be planned each time. */
const MOST_NAMES = 100;
const names = new Map<string, string>();

/**
 * A connection on which the statements so marked are parsed and planned once: for each statement of a payment that takes
 * the database about as long as to run it (decision 0050).
 */
export class PreparedClient extends pg.Client {
  // The pool calls this with a text and its values; every other form is passed on as it is.
  override query: pg.Client['query'] = (...given: unknown[]) => {
    const [text, values, ...others] = given;
    const name = typeof text === 'string' && text.startsWith(PREPARED) ? nameOf(text) : undefined;
    const passed = name === undefined ? given : [{ name, text, values }, ...others];
    return Reflect.apply(super.query, this, passed);
  };
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST_NAMES) return known;
  const name = `cannery_${names.size}`;
  names.set(text, name);
  return name;
}
