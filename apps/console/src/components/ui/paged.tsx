import { useState, type ReactNode } from 'react';
import { pageOf, type Page } from '../../lib/paging.ts';
import { PagingBar } from './paging-bar.tsx';

interface PagedProps<Row, Size extends number> {
  readonly rows: readonly Row[];
  readonly sizes: readonly Size[];
  /** Rows at first; lists that are not longer show no bar. */
  readonly startSize: Size;
  readonly sizeLabel?: string;
  /** Draws one page. */
  readonly children: (page: Page<Row>) => ReactNode;
}

/** A list of any length, a page at a time, so that thousands of rows cost no more than a few. */
export function Paged<Row, Size extends number>({
  rows,
  sizes,
  startSize,
  sizeLabel,
  children,
}: PagedProps<Row, Size>) {
  const [index, setIndex] = useState(0);
  const [size, setSize] = useState(startSize);
  const page = pageOf(rows, index, size);
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
          onPage={setIndex}
          onSize={(next) => {
            setSize(next);
            setIndex(0);
          }}
        />
      )}
    </>
  );
}
