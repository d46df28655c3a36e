import { type ReactNode, useState } from 'react';
import { pageOf, type Page } from '../../lib/table/paging.ts';
import { useTableState } from '../../lib/table/table-state.ts';
import { PagingBar } from './paging-bar.tsx';

interface PagedProps<Row, Size extends number> {
  readonly rows: readonly Row[];
  readonly sizes: readonly Size[];
  /** Rows at first; lists that are not longer show no bar. */
  readonly startSize: Size;
  readonly sizeLabel?: string;
  /** Place of a row whose page is the one on show at first; -1 for none. */
  readonly startRow?: number;
  /** Names the list in the page's address, which then carries its page. */
  readonly address?: string;
  /** Draws one page. */
  readonly children: (page: Page<Row>) => ReactNode;
}

/** A list of any length, a page at a time, so that thousands of rows cost no more than a few. */
export function Paged<Row, Size extends number>({
  rows,
  sizes,
  startSize,
  startRow = -1,
  sizeLabel,
  address,
  children,
}: PagedProps<Row, Size>) {
  const [{ page: index, size }, change] = useTableState({ address, sizes, startSize });
  // Until somebody turns a page.
  const [named, setNamed] = useState(startRow);
  const page = pageOf(rows, named < 0 ? index : Math.floor(named / size), size);
  return (
    <>
      {children(page)}
      {rows.length > startSize && (
        <PagingBar
          page={page}
          total={rows.length}
          sizeLabel={sizeLabel}
          sizes={sizes}
          size={size}
          onPage={(next) => {
            setNamed(-1);
            change({ page: next });
          }}
          onSize={(next) => {
            setNamed(-1);
            change({ size: next, page: 0 });
          }}
        />
      )}
    </>
  );
}
