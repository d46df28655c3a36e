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
