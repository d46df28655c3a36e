/**
 * What a list shows of its call: nothing yet while the first answer is on its way, no rows where that call has failed, and
 * the last answer where only a later one has.
 */
export function rowsToShow<Row>({
  data,
  isError,
}: {
  readonly data: Row[] | undefined;
  readonly isError: boolean;
}): Row[] | undefined {
  return data ?? (isError ? [] : undefined);
}

/** A list of which nothing is known since its call has failed; undefined for every other. */
export function failedList<List extends { readonly data: unknown; readonly isError: boolean }>(
  list: List,
): List | undefined {
  return list.isError && list.data === undefined ? list : undefined;
}

/**
 * The rows of an answer, with every row that is the same as before replaced by the one that is already on show, so
 * that comparing a long list again costs next to nothing and unchanged rows are not drawn again.
 */
export function withKnownRows<Row extends { readonly id: string }>(
  known: readonly Row[] | undefined,
  fetched: Row[],
): Row[] {
  if (known === undefined) return fetched;
  const byId = new Map(known.map((row) => [row.id, row]));
  return fetched.map((row) => {
    const before = byId.get(row.id);
    return before !== undefined && isSame(before, row) ? before : row;
  });
}

/** Compares two answers field by field, as deep as they go; of ten thousand rows at a time, so it makes nothing on its way but names. */
function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(right);
  if (Object.keys(left).length !== names.length) return false;
  const known = left as Readonly<Record<string, unknown>>;
  const fetched = right as Readonly<Record<string, unknown>>;
  return names.every((name) => Object.hasOwn(known, name) && isSame(known[name], fetched[name]));
}
