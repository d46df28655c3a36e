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

/** Longest time in milliseconds for which rows are compared before a click or a key may be answered. */
const SLICE_MS = 5;
/** The clock is read once for this number of rows; they are compared in a fraction of a millisecond. */
const ROWS_A_LOOK = 100;

/** Lets the browser answer clicks and keys and paint. */
const giveWay = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve);
  });

/**
 * The rows of an answer, with every row that is the same as before replaced by the one that is already on show, so that comparing
 * a long list again costs next to nothing and unchanged rows are not drawn again. Where nothing has changed, the answer is the list
 * on show. Long lists are compared piece by piece, between which the page answers its user.
 */
export async function withKnownRows<Row extends { readonly id: string }>(
  known: Row[] | undefined,
  fetched: Row[],
): Promise<Row[]> {
  if (known === undefined) return fetched;
  let startedAt = performance.now();
  const byId = new Map(known.map((row) => [row.id, row]));
  const rows: Row[] = [];
  let hasChanged = known.length !== fetched.length;
  for (const [place, row] of fetched.entries()) {
    const before = byId.get(row.id);
    const kept = before !== undefined && isSame(before, row) ? before : row;
    rows.push(kept);
    hasChanged ||= kept !== known[place];
    if (place % ROWS_A_LOOK === 0 && performance.now() - startedAt > SLICE_MS) {
      await giveWay();
      startedAt = performance.now();
    }
  }
  return hasChanged ? rows : known;
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
