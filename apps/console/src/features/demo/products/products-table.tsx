import type { Product } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { DataTable } from '../../../components/ui/data-table.tsx';
import type { Column } from '../../../components/ui/table-view.tsx';
import { IdText } from '../../../components/ui/id-text.tsx';
import { shown } from '../../../lib/text/formats.ts';
import { pathOf } from '../demo-paths.ts';
import { CanPicture } from '../pictures/can-picture.tsx';
import { priceText } from './products.ts';
import { Rating } from './rating.tsx';

interface CheckProps {
  readonly label: string;
  readonly checked: boolean;
  /** Some of what the box stands for is chosen. */
  readonly partly?: boolean;
  readonly onChange: (checked: boolean) => void;
}

function Check({ label, checked, partly = false, onChange }: CheckProps) {
  return (
    <span className="flex h-full items-center">
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        ref={(input) => {
          if (input) input.indeterminate = partly;
        }}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 cursor-pointer accent-accent max-sm:size-6"
      />
    </span>
  );
}

interface Selection {
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: readonly string[], chosen: boolean) => void;
}

function columnsOf(
  products: readonly Product[] | undefined,
  { selected, onSelect }: Selection,
): readonly Column<Product>[] {
  const ids = products?.map(({ id }) => id) ?? [];
  const all = ids.length > 0 && ids.every((id) => selected.has(id));
  return [
    {
      id: 'chosen',
      heading: 'Selected',
      stacked: 'state',
      control: (
        <Check
          label={`Select all ${ids.length} products`}
          checked={all}
          partly={selected.size > 0 && !all}
          onChange={(chosen) => onSelect(ids, chosen)}
        />
      ),
      cell: ({ id, title }) => (
        <Check
          label={`Select ${shown(title)}`}
          checked={selected.has(id)}
          onChange={(chosen) => onSelect([id], chosen)}
        />
      ),
    },
    {
      id: 'id',
      heading: 'Id',
      cell: ({ id }) => <IdText id={id} of="product id" short />,
      sortBy: ({ id }) => id,
    },
    {
      id: 'img',
      heading: 'Img',
      stacked: 'next',
      cell: ({ img }) => <CanPicture name={img} className="my-1.5 size-11" />,
    },
    {
      id: 'title',
      heading: 'Title',
      stacked: 'title',
      cell: ({ id, title }) => (
        <Link
          to={pathOf('product', id)}
          className="line-clamp-2 rounded-control font-medium wrap-anywhere hover:text-accent hover:underline"
        >
          {shown(title)}
        </Link>
      ),
      sortBy: ({ title }) => title,
    },
    {
      id: 'subtitle',
      heading: 'Subtitle',
      stacked: 'line',
      cell: ({ subtitle }) => (
        <span className="line-clamp-2 text-muted wrap-anywhere">{shown(subtitle)}</span>
      ),
      sortBy: ({ subtitle }) => subtitle,
    },
    { id: 'price', heading: 'Price', cell: ({ price }) => priceText(price), sortBy: ({ price }) => price },
    {
      id: 'rating',
      heading: 'Rating',
      cell: ({ rating }) => <Rating rating={rating} />,
      sortBy: ({ rating }) => rating,
    },
  ];
}

const byPrice = { column: 'price', direction: 'asc' } as const;

interface ProductsTableProps extends Selection {
  /** Undefined while they are loaded. */
  readonly products: readonly Product[] | undefined;
  readonly empty: ReactNode;
  readonly onOpen: (product: Product) => void;
}

/** The sample products, the cheapest first; rows can be selected. */
export function ProductsTable({ products, selected, onSelect, empty, onOpen }: ProductsTableProps) {
  const columns = useMemo(() => columnsOf(products, { selected, onSelect }), [products, selected, onSelect]);
  return (
    <DataTable
      label="Products"
      address="products"
      columns={columns}
      width={920}
      rows={products}
      rowKey={({ id }) => id}
      onRowClick={onOpen}
      startSorting={byPrice}
      empty={empty}
    />
  );
}
