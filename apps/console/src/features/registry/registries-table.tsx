import type { Registry } from '@cannery/contract';
import { type ReactNode, useCallback, useMemo } from 'react';
import { DataTable, type Column } from '../../components/ui/data-table.tsx';
import { IdText } from '../../components/ui/id-text.tsx';
import { TableMoment } from '../../components/ui/table-moment.tsx';
import { NOT_AVAILABLE, shown, tableDate } from '../../lib/formats.ts';
import { dateValue } from '../../lib/sort.ts';
import { RegistryMenu } from './registry-menu.tsx';

interface RowActions {
  readonly onOpen: (id: string) => void;
  readonly onEdit: (registry: Registry) => void;
  readonly onDelete: (registry: Registry) => void;
}

function columnsOf({ onOpen, onEdit, onDelete }: RowActions): readonly Column<Registry>[] {
  return [
    {
      id: 'id',
      heading: 'Registry ID',
      cell: ({ id }) => (id === '' ? NOT_AVAILABLE : <IdText id={id} of="registry id" short />),
      sortBy: ({ id }) => id,
    },
    {
      id: 'name',
      heading: 'Registry Name',
      cell: ({ id, name }) => (
        <button
          type="button"
          title={name ?? undefined}
          onClick={() => onOpen(id)}
          className="line-clamp-2 cursor-pointer rounded-control text-left font-medium wrap-anywhere hover:text-accent hover:underline"
        >
          {shown(name)}
        </button>
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
    {
      id: 'actions',
      heading: 'Actions',
      align: 'end',
      cell: (registry) => <RegistryMenu registry={registry} onEdit={onEdit} onDelete={onDelete} />,
    },
  ];
}

interface RegistriesTableProps extends RowActions {
  /** Undefined while they are loaded. */
  readonly registries: readonly Registry[] | undefined;
  readonly empty: ReactNode;
}

/** The user's registries as a table; a row opens what is known of the entry. */
export function RegistriesTable({ registries, empty, onOpen, onEdit, onDelete }: RegistriesTableProps) {
  const columns = useMemo(() => columnsOf({ onOpen, onEdit, onDelete }), [onOpen, onEdit, onDelete]);
  const openRow = useCallback(({ id }: Registry): void => onOpen(id), [onOpen]);
  return (
    <DataTable
      label="Registries"
      address="registries"
      columns={columns}
      rows={registries}
      rowKey={({ id }) => id}
      onRowClick={openRow}
      empty={empty}
    />
  );
}
