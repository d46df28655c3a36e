import { memo, type MouseEvent, type ReactNode } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { DEFAULT_PAGE_SIZE, type Page, type PageSize, pageSizes } from '../../lib/table/paging.ts';
import { type Sorting, type SortValue, toggleSorting } from '../../lib/table/sort.ts';
import type { TableState } from '../../lib/table/table-state.ts';
import { PagingBar } from './paging-bar.tsx';
import { Skeleton } from './skeleton.tsx';
import { SortHeading, SortPicker } from './table-sorting.tsx';

/**
 * Where a cell is in a row that is stacked: in its first line as what the row is of or as its state, in the lines
 * beneath after the cell before it or at the end of its line, or in a line by itself after all others.
 */
type StackedPlace = 'title' | 'state' | 'next' | 'end' | 'line';

export interface Column<Row> {
  readonly id: string;
  readonly heading: string;
  readonly cell: (row: Row) => ReactNode;
  /** Absent for a column that is no value, such as one of menus. */
  readonly sortBy?: (row: Row) => SortValue;
  readonly align?: 'end';
  /** Without a place the cell follows the one before it, with its heading. */
  readonly stacked?: StackedPlace;
  /** Short for the heading, where a value with a place does not say by itself what it is. */
  readonly stackedLabel?: string;
  /** Takes the place of the heading's text where that is visible, such as a checkbox for all rows. */
  readonly control?: ReactNode;
}

interface TableViewProps<Row> {
  /** Accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while the first load runs: skeleton rows show. */
  readonly page: Page<Row> | undefined;
  /** Rows of all pages; `more` when there are others, which were not counted. */
  readonly total: number;
  readonly more?: boolean;
  /** '' for a row without a key. */
  readonly rowKey: (row: Row) => string;
  readonly onRowClick?: (row: Row) => void;
  /** Address of what a row opens, for who wants it in another tab; undefined for a row that opens nothing. */
  readonly rowHref?: ((row: Row) => string | undefined) | undefined;
  readonly sorting: Sorting | undefined;
  /** Whether rows can be as listed, not sorted by any column. */
  readonly listed?: boolean;
  readonly size: PageSize;
  readonly onChange: (change: Partial<TableState<PageSize>>) => void;
}

/**
 * By the number of columns, the width of the place below which a table stacks its rows (`stacked-table`), and the class
 * of what shows only then. The place decides, not the window, so that no table is ever wider than it.
 */
const layouts = [
  { columns: 5, table: '@max-[620px]:stacked-table', stackedOnly: '@min-[620px]:hidden' },
  { columns: 7, table: '@max-[760px]:stacked-table', stackedOnly: '@min-[760px]:hidden' },
  { columns: 8, table: '@max-[880px]:stacked-table', stackedOnly: '@min-[880px]:hidden' },
] as const;

function layoutOf(columns: number): (typeof layouts)[number] {
  return layouts.find((layout) => columns <= layout.columns) ?? layouts[2];
}

const cellClass = 'h-11 px-3 first:pl-5 last:pr-5';

/** Whether a click was meant for something inside the row, or for selecting its text. */
function isInnerClick(target: EventTarget): boolean {
  const inner =
    target instanceof Element && target.closest('a, button, input, label, [role="menuitem"]') !== null;
  return inner || (window.getSelection()?.toString() ?? '') !== '';
}

/** What a cell tells the style sheet. */
function cellData<Row>({ heading, stacked, stackedLabel }: Column<Row>) {
  return { 'data-label': heading, 'data-stacked': stacked, 'data-said': stackedLabel };
}

interface TableRowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly onRowClick: ((row: Row) => void) | undefined;
  readonly rowHref: ((row: Row) => string | undefined) | undefined;
}

/** The middle button, with which browsers open a link in another tab. */
const MIDDLE = 1;

function openTab(href: string | undefined): void {
  if (href !== undefined) window.open(href, '_blank', 'noopener');
}

/** Drawn again only when the row itself has changed, which of a list that is fetched again most have not. */
const TableRow = memo(function TableRow<Row>({ row, columns, onRowClick, rowHref }: TableRowProps<Row>) {
  const onClick =
    onRowClick &&
    ((event: MouseEvent): void => {
      if (isInnerClick(event.target)) return;
      if (rowHref && (event.ctrlKey || event.metaKey)) openTab(rowHref(row));
      else onRowClick(row);
    });
  const onMiddle = (event: MouseEvent): void => {
    if (event.button !== MIDDLE || rowHref === undefined || isInnerClick(event.target)) return;
    event.preventDefault();
    if (event.type === 'auxclick') openTab(rowHref(row));
  };
  return (
    <tr
      role="row"
      onClick={onClick}
      // Pressing it would begin to scroll where browsers scroll by it.
      onMouseDown={rowHref && onMiddle}
      onAuxClick={rowHref && onMiddle}
      className={classNames(
        'border-b border-line last:border-0',
        onRowClick && 'cursor-pointer transition-colors duration-100 hover:bg-ink/3',
      )}
    >
      {columns.map((column) => (
        <td
          key={column.id}
          role="cell"
          {...cellData(column)}
          className={classNames(cellClass, column.align === 'end' && 'text-right')}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: TableRowProps<Row>) => ReactNode;

/** One page of a sortable table; in a narrow place each row becomes a card. */
export function TableView<Row>({
  label,
  columns,
  page,
  total,
  more,
  rowKey,
  onRowClick,
  rowHref,
  sorting,
  listed = true,
  size,
  onChange: change,
}: TableViewProps<Row>) {
  const layout = layoutOf(columns.length);
  return (
    <div className="@container">
      <SortPicker
        columns={columns.filter(({ sortBy }) => sortBy !== undefined)}
        sorting={sorting}
        listed={listed}
        onSorting={(next) => change({ sorting: next })}
        className={layout.stackedOnly}
      />
      <table
        role="table"
        aria-label={label}
        aria-busy={page === undefined}
        className={classNames('w-full text-left', layout.table)}
      >
        <thead role="rowgroup">
          <tr role="row" className="border-y border-line">
            {columns.map((column) => (
              <SortHeading
                key={column.id}
                column={column}
                sorting={sorting}
                onSort={column.sortBy && (() => change({ sorting: toggleSorting(sorting, column.id) }))}
              />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {page === undefined &&
            Array.from({ length: DEFAULT_PAGE_SIZE }, (_, row) => (
              <tr key={row} role="row" className="border-b border-line last:border-0">
                {columns.map((column) => (
                  <td key={column.id} role="cell" {...cellData(column)} className={cellClass}>
                    <Skeleton className="w-3/4 min-w-16" />
                  </td>
                ))}
              </tr>
            ))}
          {page?.rows.map((row, place) => (
            <TableRow
              key={rowKey(row) || `row ${place}`}
              row={row}
              columns={columns}
              onRowClick={onRowClick}
              rowHref={rowHref}
            />
          ))}
        </tbody>
      </table>
      {page !== undefined && (
        <PagingBar
          page={page}
          total={total}
          more={more}
          sizes={pageSizes}
          size={size}
          onPage={(index) => change({ page: index })}
          onSize={(next) => change({ size: next, page: 0 })}
        />
      )}
    </div>
  );
}
