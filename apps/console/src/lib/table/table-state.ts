import { useMemo } from 'react';
import { type AddressFields, useAddressFields } from './address-fields.ts';
import type { Sorting } from './sort.ts';

/** What a list shows: how it is sorted, the page (from 0) and the rows of one. */
export interface TableState<Size extends number> {
  readonly sorting: Sorting | undefined;
  readonly page: number;
  readonly size: Size;
}

const fieldNames = ['sort', 'page', 'size'] as const;

/** Reads the state from its fields, such as sort '-name', page '2' (from 1) and size '10'; what makes no sense is left out. */
export function readTableState<Size extends number>(
  { sort, page, size }: AddressFields,
  { sizes, startSize }: { readonly sizes: readonly Size[]; readonly startSize: Size },
): TableState<Size> {
  const number = page !== undefined && /^\d{1,7}$/.test(page) ? Number(page) : 1;
  const sorting: Sorting | undefined =
    sort === undefined
      ? undefined
      : sort.startsWith('-')
        ? { column: sort.slice(1), direction: 'desc' }
        : { column: sort, direction: 'asc' };
  return {
    sorting,
    page: Math.max(0, number - 1),
    size: sizes.find((entry) => String(entry) === size) ?? startSize,
  };
}

/** The fields of a state; what a list shows at first is left out. */
export function tableFields<Size extends number>(
  { sorting, page, size }: TableState<Size>,
  startSize: Size,
): AddressFields {
  return {
    sort: sorting && `${sorting.direction === 'desc' ? '-' : ''}${sorting.column}`,
    page: page === 0 ? undefined : String(page + 1),
    size: size === startSize ? undefined : String(size),
  };
}

interface TableStateOptions<Size extends number> {
  /** Names the list in the address; undefined keeps its state out of it. */
  readonly address: string | undefined;
  readonly sizes: readonly Size[];
  readonly startSize: Size;
}

/** The state of a list, which the address carries when the list has a name there. */
export function useTableState<Size extends number>({ address, sizes, startSize }: TableStateOptions<Size>) {
  const [fields, setFields] = useAddressFields(address === undefined ? undefined : `${address}.`, fieldNames);
  const state = useMemo(() => readTableState(fields, { sizes, startSize }), [fields, sizes, startSize]);
  const change = (next: Partial<TableState<Size>>): void =>
    setFields(tableFields({ ...state, ...next }, startSize));
  return [state, change] as const;
}
