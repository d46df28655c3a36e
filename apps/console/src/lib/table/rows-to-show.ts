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
