import { memo, type MouseEvent, type ReactNode } from 'react';
import { happenedInside } from '../../lib/browser/happened-inside.ts';
import { opensTab } from '../../lib/browser/opens-tab.ts';
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
  /** What the columns take with usual values, each in one line and no id cut; in a narrower place the rows are stacked. */
  readonly width: TableWidth;
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
 * The widths of the place, in pixels, below which a table stacks its rows (`stacked-table`), with the class of what shows
 * only then. The place decides, not the window, so that no table is ever wider than it.
 */
const layouts = {
  640: { table: '@max-[640px]:stacked-table', stackedOnly: '@min-[640px]:hidden' },
  760: { table: '@max-[760px]:stacked-table', stackedOnly: '@min-[760px]:hidden' },
  920: { table: '@max-[920px]:stacked-table', stackedOnly: '@min-[920px]:hidden' },
  1000: { table: '@max-[1000px]:stacked-table', stackedOnly: '@min-[1000px]:hidden' },
  1080: { table: '@max-[1080px]:stacked-table', stackedOnly: '@min-[1080px]:hidden' },
} as const;

export type TableWidth = keyof typeof layouts;

const cellClass = 'h-11 px-3 first:pl-5 last:pr-5';

/** Whether a click was meant for the row: not for something inside it or opened from it, nor for selecting its text. */
function isOfRow(event: MouseEvent): boolean {
  const { target } = event;
  const isInner = target instanceof Element && target.closest('a, button, input, label') !== null;
  return happenedInside(event) && !isInner && (window.getSelection()?.toString() ?? '') === '';
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
      if (!isOfRow(event)) return;
      if (rowHref && opensTab(event)) openTab(rowHref(row));
      else onRowClick(row);
    });
  const onMiddle = (event: MouseEvent): void => {
    if (event.button !== MIDDLE || rowHref === undefined || !isOfRow(event)) return;
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
  width,
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
  const layout = layouts[width];
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
