import { useMemo, type ReactNode } from 'react';
import { DEFAULT_PAGE_SIZE, pageOf, pageSizes } from '../../lib/table/paging.ts';
import { type Sorting, sortRows } from '../../lib/table/sort.ts';
import { useTableState } from '../../lib/table/table-state.ts';
import { type Column, type TableWidth, TableView } from './table-view.tsx';

interface DataTableProps<Row> {
  /** Accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** What the columns take; see `TableView`. */
  readonly width: TableWidth;
  /** Undefined while the first load runs: skeleton rows show. */
  readonly rows: readonly Row[] | undefined;
  /** '' for a row without a key. */
  readonly rowKey: (row: Row) => string;
  readonly onRowClick?: (row: Row) => void;
  /** Address of what a row opens, for who wants it in another tab. */
  readonly rowHref?: (row: Row) => string | undefined;
  /** Shown in the table's place when there are no rows. */
  readonly empty: ReactNode;
  /** Names the table in the page's address, which then carries sorting and page. */
  readonly address?: string;
  /** How the rows are sorted until somebody chooses; without it they stay as listed. */
  readonly startSorting?: Sorting;
}

/** A sortable, paged table of rows that are all here. */
export function DataTable<Row>({
  label,
  columns,
  width,
  rows,
  rowKey,
  onRowClick,
  rowHref,
  empty,
  address,
  startSorting,
}: DataTableProps<Row>) {
  const [{ sorting: chosen, page: pageIndex, size }, change] = useTableState({
    address,
    sizes: pageSizes,
    startSize: DEFAULT_PAGE_SIZE,
  });

  const sorting = chosen ?? startSorting;

  const sorted = useMemo(() => {
    const column = columns.find(({ id }) => id === sorting?.column);
    return rows && column?.sortBy && sorting
      ? sortRows(rows, column.sortBy, sorting.direction)
      : (rows ?? []);
  }, [rows, columns, sorting]);

  if (rows?.length === 0) return empty;
  return (
    <TableView
      label={label}
      columns={columns}
      width={width}
      page={rows && pageOf(sorted, pageIndex, size)}
      total={sorted.length}
      rowKey={rowKey}
      onRowClick={onRowClick}
      rowHref={rowHref}
      sorting={sorting}
      listed={startSorting === undefined}
      size={size}
      onChange={change}
    />
  );
}
