import type { Registry } from '@cannery/contract';
import { type ReactNode, useMemo } from 'react';
import { DataTable, type Column } from '../../components/ui/data-table.tsx';
import { IdText } from '../../components/ui/id-text.tsx';
import { TableMoment } from '../../components/ui/table-moment.tsx';
import { NOT_AVAILABLE, shown, tableDate } from '../../lib/formats.ts';
import { dateValue } from '../../lib/sort.ts';
import { RegistryMenu } from './registry-menu.tsx';

const columns: readonly Column<Registry>[] = [
  {
    id: 'id',
    heading: 'Registry ID',
    cell: ({ id }) => (id === '' ? NOT_AVAILABLE : <IdText id={id} of="registry id" short />),
    sortBy: ({ id }) => id,
  },
  {
    id: 'name',
    heading: 'Registry Name',
    cell: ({ name }) => (
      <span title={name ?? undefined} className="line-clamp-2 font-medium wrap-anywhere">
        {shown(name)}
      </span>
    ),
    sortBy: ({ name }) => name,
  },
  {
    id: 'identifier',
    heading: 'Identifier',
    cell: ({ wasm_identifier: identifier }) =>
      identifier ? <IdText id={identifier} of="identifier" short /> : NOT_AVAILABLE,
    sortBy: ({ wasm_identifier: identifier }) => identifier,
  },
  {
    id: 'created',
    heading: 'Created At',
    cell: ({ created_at }) => <TableMoment at={created_at}>{tableDate(created_at)}</TableMoment>,
    sortBy: ({ created_at }) => dateValue(created_at),
  },
];

interface RegistriesTableProps {
  /** Undefined while they are loaded. */
  readonly registries: readonly Registry[] | undefined;
  readonly empty: ReactNode;
  readonly onEdit: (registry: Registry) => void;
  readonly onDelete: (registry: Registry) => void;
}

/** The user's registries as a table. */
export function RegistriesTable({ registries, empty, onEdit, onDelete }: RegistriesTableProps) {
  const withActions = useMemo(
    (): readonly Column<Registry>[] => [
      ...columns,
      {
        id: 'actions',
        heading: 'Actions',
        align: 'end',
        cell: (registry) => <RegistryMenu registry={registry} onEdit={onEdit} onDelete={onDelete} />,
      },
    ],
    [onEdit, onDelete],
  );
  return (
    <DataTable
      label="Registries"
      address="registries"
      columns={withActions}
      rows={registries}
      rowKey={({ id }) => id}
      empty={empty}
    />
  );
}
