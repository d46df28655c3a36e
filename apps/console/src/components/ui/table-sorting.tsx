import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../lib/class-names.ts';
import type { Sorting } from '../../lib/table/sort.ts';
import { SelectBox } from './select-box.tsx';

interface Heading {
  readonly id: string;
  readonly heading: string;
  readonly align?: 'end';
  readonly control?: ReactNode;
}

interface SortHeadingProps {
  readonly column: Heading;
  readonly sorting: Sorting | undefined;
  /** Undefined for a column that nothing is sorted by. */
  readonly onSort: (() => void) | undefined;
}

function SortArrow({ direction }: { direction: Sorting['direction'] | undefined }) {
  const className = classNames('size-3.5 shrink-0', direction === undefined && 'opacity-50');
  if (direction === 'asc') return <ArrowUp className={className} aria-hidden="true" />;
  if (direction === 'desc') return <ArrowDown className={className} aria-hidden="true" />;
  return <ChevronsUpDown className={className} aria-hidden="true" />;
}

/** A column heading, which sorts the table where the column can be sorted by. */
export function SortHeading({ column, sorting, onSort }: SortHeadingProps) {
  const place = 'sticky top-14 z-1 bg-surface px-1 first:pl-3 last:pr-3';
  if (onSort === undefined) {
    return (
      <th role="columnheader" className={place}>
        <span
          className={classNames(
            'block px-2 text-xs font-medium text-muted',
            column.align === 'end' && 'text-right',
          )}
        >
          {column.control ?? column.heading}
        </span>
      </th>
    );
  }
  const direction = sorting?.column === column.id ? sorting.direction : undefined;
  const ariaSort = direction === undefined ? 'none' : direction === 'asc' ? 'ascending' : 'descending';
  return (
    <th role="columnheader" aria-sort={ariaSort} className={place}>
      <button
        type="button"
        onClick={onSort}
        className={classNames(
          'inline-flex min-h-9 w-full items-center gap-1 rounded-control px-2 text-left text-xs font-medium outline-offset-[-2px] hover:text-ink',
          direction === undefined ? 'text-muted' : 'text-ink',
          column.align === 'end' && 'flex-row-reverse text-right',
        )}
      >
        {column.heading}
        <SortArrow direction={direction} />
      </button>
    </th>
  );
}

interface SortPickerProps {
  readonly columns: readonly Heading[];
  readonly sorting: Sorting | undefined;
  /** Whether the rows can also stand as they are listed. */
  readonly listed: boolean;
  readonly onSorting: (sorting: Sorting | undefined) => void;
  readonly className: string;
}

/** The sorting where the headings have no room. */
export function SortPicker({ columns, sorting, listed, onSorting, className }: SortPickerProps) {
  return (
    <div
      className={classNames(
        'flex items-center gap-2 border-y border-line py-1 pr-2 pl-4 text-sm text-muted',
        className,
      )}
    >
      <span aria-hidden="true">Sort by</span>
      <SelectBox
        aria-label="Sort by"
        look="quiet"
        className="max-w-72 flex-1"
        options={[
          ...(listed ? [{ value: '', label: 'As listed' }] : []),
          ...columns.flatMap(({ id, heading }) => [
            { value: `asc ${id}`, label: `${heading}, ascending` },
            { value: `desc ${id}`, label: `${heading}, descending` },
          ]),
        ]}
        value={sorting ? `${sorting.direction} ${sorting.column}` : ''}
        onChange={(chosen) => {
          const [direction, column] = chosen.split(' ');
          const known = direction === 'asc' || direction === 'desc';
          onSorting(known && column !== undefined ? { column, direction } : undefined);
        }}
      />
    </div>
  );
}
