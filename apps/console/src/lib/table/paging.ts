/** Page sizes of every product table. */
export const pageSizes = [5, 10, 25] as const;
export type PageSize = (typeof pageSizes)[number];
export const DEFAULT_PAGE_SIZE: PageSize = 5;

/** Page sizes of cards, which fill rows of two and three. */
export const cardPageSizes = [12, 24, 48] as const;

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Zero-based, moved back to the last page when rows have gone. */
  readonly index: number;
  readonly count: number;
  /** One-based numbers of the first and last row shown; 0 and 0 when there is none. */
  readonly first: number;
  readonly last: number;
}

/** One page of the rows. */
export function pageOf<Row>(rows: readonly Row[], wanted: number, size: number): Page<Row> {
  const count = Math.max(1, Math.ceil(rows.length / size));
  const index = Math.min(Math.max(0, wanted), count - 1);
  const shown = rows.slice(index * size, (index + 1) * size);
  const first = shown.length === 0 ? 0 : index * size + 1;
  return { rows: shown, index, count, first, last: index * size + shown.length };
}

/**
 * A page that a service has cut.
 * @param total how many rows there are, as far as they were counted; `more` when there are others
 */
export function cutPage<Row>(
  rows: readonly Row[],
  { page, size, total, more }: { page: number; size: number; total: number; more: boolean },
): Page<Row> {
  const counted = Math.max(1, Math.ceil(total / size));
  return {
    rows,
    index: page,
    count: more ? Math.max(counted, page + 2) : counted,
    first: rows.length === 0 ? 0 : page * size + 1,
    last: page * size + rows.length,
  };
}
