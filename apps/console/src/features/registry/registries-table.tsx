import type { Registry } from '@cannery/contract';
import { useRouter } from '@tanstack/react-router';
import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { IconButton } from '../../components/ui/icon-button.tsx';
import { IdText } from '../../components/ui/id-text.tsx';
import { Menu, MenuItem } from '../../components/ui/menu.tsx';
import { TableMoment } from '../../components/ui/table-moment.tsx';
import { type Column, TableView } from '../../components/ui/table-view.tsx';
import { paths } from '../../config/paths.ts';
import type { RegistriesPage } from '../../lib/shared/registries.ts';
import { cutPage, type PageSize } from '../../lib/table/paging.ts';
import { dateValue } from '../../lib/table/sort.ts';
import type { TableState } from '../../lib/table/table-state.ts';
import { NOT_AVAILABLE, shown, tableDate } from '../../lib/text/formats.ts';

interface RegistryMenuProps {
  readonly registry: Registry;
  readonly onEdit: (registry: Registry) => void;
  readonly onDelete: (registry: Registry) => void;
}

/** What can be done with a registry. */
function RegistryMenu({ registry, onEdit, onDelete }: RegistryMenuProps) {
  return (
    <Menu
      trigger={
        <IconButton label={`Actions of ${shown(registry.name)}`} size="small">
          <Ellipsis className="size-4" />
        </IconButton>
      }
    >
      <MenuItem icon={<Pencil />} onSelect={() => onEdit(registry)}>
        Edit
      </MenuItem>
      <MenuItem icon={<Trash2 />} onSelect={() => onDelete(registry)}>
        Delete
      </MenuItem>
    </Menu>
  );
}

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
      stacked: 'next',
      stackedLabel: 'ID',
      cell: ({ id }) => (id === '' ? NOT_AVAILABLE : <IdText id={id} of="registry id" short />),
      sortBy: ({ id }) => id,
    },
    {
      id: 'name',
      heading: 'Registry Name',
      stacked: 'title',
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
      stacked: 'next',
      stackedLabel: 'Identifier',
      cell: ({ wasm_identifier: identifier }) =>
        identifier ? <IdText id={identifier} of="identifier" short="to-fit" /> : NOT_AVAILABLE,
      sortBy: ({ wasm_identifier: identifier }) => identifier,
    },
    {
      id: 'created',
      heading: 'Created At',
      stacked: 'line',
      cell: ({ created_at }) => <TableMoment at={created_at}>{tableDate(created_at)}</TableMoment>,
      sortBy: ({ created_at }) => dateValue(created_at),
    },
    {
      id: 'actions',
      heading: 'Actions',
      stacked: 'state',
      align: 'end',
      cell: (registry) => <RegistryMenu registry={registry} onEdit={onEdit} onDelete={onDelete} />,
    },
  ];
}

interface RegistriesTableProps extends RowActions {
  /** Undefined while it is loaded. */
  readonly found: RegistriesPage | undefined;
  readonly state: TableState<PageSize>;
  readonly onChange: (change: Partial<TableState<PageSize>>) => void;
}

/** A page of the user's registries as a table; a row opens what is known of the entry. */
export function RegistriesTable({
  found,
  state: { sorting, page, size },
  onChange,
  onOpen,
  onEdit,
  onDelete,
}: RegistriesTableProps) {
  const columns = useMemo(() => columnsOf({ onOpen, onEdit, onDelete }), [onOpen, onEdit, onDelete]);
  const openRow = useCallback(({ id }: Registry): void => onOpen(id), [onOpen]);
  const router = useRouter();
  const href = useCallback(
    ({ id }: Registry) =>
      id === '' ? undefined : router.buildLocation({ to: paths.registries, search: { entry: id } }).href,
    [router],
  );
  return (
    <TableView
      label="Registries"
      columns={columns}
      width={1080}
      page={found && cutPage(found.registries, { page, size, total: found.total, more: found.more })}
      total={found?.total ?? 0}
      more={found?.more}
      rowKey={({ id }) => id}
      onRowClick={openRow}
      rowHref={href}
      sorting={sorting}
      size={size}
      onChange={onChange}
    />
  );
}
