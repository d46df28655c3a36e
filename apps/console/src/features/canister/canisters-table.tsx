import type { Canister } from '@cannery/contract';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { DataTable, type Column } from '../../components/ui/data-table.tsx';
import { TableMoment } from '../../components/ui/table-moment.tsx';
import { paths } from '../../config/paths.ts';
import { cyclesCell, readCycles } from '../../lib/cycles.ts';
import { tableDate } from '../../lib/formats.ts';
import { dateValue } from '../../lib/sort.ts';
import { CanisterStatus } from './canister-status.tsx';

const columns: readonly Column<Canister>[] = [
  {
    id: 'id',
    heading: 'Canister ID',
    cell: ({ id }) => (
      <span className="inline-flex max-w-full items-center gap-1 align-bottom">
        <Link
          to={paths.canister}
          params={{ id }}
          title={id}
          className="truncate font-mono text-sm whitespace-nowrap hover:text-accent hover:underline md:max-lg:max-w-24"
        >
          {id}
        </Link>
        <CopyButton text={id} label="Copy canister id" />
      </span>
    ),
    sortBy: ({ id }) => id,
  },
  {
    id: 'name',
    heading: 'Canister Name',
    cell: ({ name }) => (
      // As wide as the other columns leave: none of them may wrap for a long name.
      <span title={name} className="block truncate font-medium md:max-w-[clamp(6rem,100vw-69rem,24rem)]">
        {name}
      </span>
    ),
    sortBy: ({ name }) => name,
  },
  {
    id: 'cycles',
    heading: 'Cycles',
    align: 'end',
    cell: ({ cycles, cycles_exact }) => (
      <span className="whitespace-nowrap md:max-lg:whitespace-normal">
        {cyclesCell(cycles_exact ?? cycles)}
      </span>
    ),
    sortBy: ({ cycles, cycles_exact }) => readCycles(cycles_exact ?? cycles),
  },
  {
    id: 'status',
    heading: 'Status',
    cell: ({ status }) => <CanisterStatus status={status} otherwise="warn" />,
    sortBy: ({ status }) => status,
  },
  {
    id: 'created',
    heading: 'Created At',
    cell: ({ created_at }) => (
      <TableMoment at={created_at} className="md:max-lg:whitespace-normal">
        {tableDate(created_at)}
      </TableMoment>
    ),
    sortBy: ({ created_at }) => dateValue(created_at),
  },
];

/** The user's canisters as a table; a row opens the canister's page. */
export function CanistersTable({ canisters, empty }: { canisters: readonly Canister[]; empty: ReactNode }) {
  const navigate = useNavigate();
  const open = useCallback(
    ({ id }: Canister): void => void navigate({ to: paths.canister, params: { id } }),
    [navigate],
  );
  return (
    <DataTable
      label="Canisters"
      columns={columns}
      rows={canisters}
      rowKey={({ id }) => id}
      onRowClick={open}
      empty={empty}
    />
  );
}
