import type { Canister } from '@cannery/contract';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DataTable, type Column } from '../../components/ui/data-table.tsx';
import { paths } from '../../config/paths.ts';
import { cyclesCell, readCycles } from '../../lib/cycles.ts';
import { ago, tableDate } from '../../lib/formats.ts';
import { dateValue } from '../../lib/sort.ts';
import { CanisterStatus } from './canister-status.tsx';

const columns: readonly Column<Canister>[] = [
  {
    id: 'id',
    heading: 'Canister ID',
    cell: ({ id }) => (
      <Link
        to={paths.canister}
        params={{ id }}
        className="font-mono text-sm break-all hover:text-accent hover:underline"
      >
        {id}
      </Link>
    ),
    sortBy: ({ id }) => id,
  },
  {
    id: 'name',
    heading: 'Canister Name',
    cell: ({ name }) => <span className="line-clamp-2 font-medium wrap-anywhere">{name}</span>,
    sortBy: ({ name }) => name,
  },
  {
    id: 'cycles',
    heading: 'Cycles',
    align: 'end',
    cell: ({ cycles, cycles_exact }) => (
      <span className="whitespace-nowrap">{cyclesCell(cycles_exact ?? cycles)}</span>
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
      <span title={ago(created_at)} className="whitespace-nowrap">
        {tableDate(created_at)}
      </span>
    ),
    sortBy: ({ created_at }) => dateValue(created_at),
  },
];

/** The user's canisters as a table; a row opens the canister's page. */
export function CanistersTable({ canisters, empty }: { canisters: readonly Canister[]; empty: ReactNode }) {
  const navigate = useNavigate();
  return (
    <DataTable
      label="Canisters"
      columns={columns}
      rows={canisters}
      rowKey={({ id }) => id}
      onRowClick={({ id }) => void navigate({ to: paths.canister, params: { id } })}
      empty={empty}
    />
  );
}
