import type { CanisterBalances } from '@cannery/contract';
import { DataTable } from '../../../components/ui/data-table.tsx';
import type { Column } from '../../../components/ui/table-view.tsx';
import { TableMoment } from '../../../components/ui/table-moment.tsx';
import { cyclesExact } from '../../../lib/text/cycles.ts';
import { logTime } from '../../../lib/text/formats.ts';
import { dateValue } from '../../../lib/table/sort.ts';
import { type BalanceRow, balanceRows } from './balance-facts.ts';

function signed(cycles: bigint | undefined): string {
  if (cycles === undefined || cycles === 0n) return '–';
  return `${cycles > 0n ? '+' : ''}${cyclesExact(cycles.toString())}`;
}

const columns: readonly Column<BalanceRow>[] = [
  {
    id: 'at',
    heading: 'Read at',
    stacked: 'title',
    cell: ({ at }) => <TableMoment at={at}>{logTime(at)}</TableMoment>,
    sortBy: ({ at }) => dateValue(at),
  },
  {
    id: 'cycles',
    heading: 'Cycles',
    stacked: 'state',
    align: 'end',
    cell: ({ cycles }) => cyclesExact(cycles),
    sortBy: ({ cycles }) => BigInt(cycles),
  },
  {
    id: 'change',
    heading: 'Change',
    align: 'end',
    cell: ({ change }) => signed(change),
    sortBy: ({ change }) => change,
  },
  {
    id: 'added',
    heading: 'Of it topped up',
    align: 'end',
    cell: ({ added }) => signed(added),
    sortBy: ({ added }) => added,
  },
];

/** The readings of a balance in numbers. */
export function BalanceTable({ balances }: { balances: CanisterBalances }) {
  return (
    <DataTable
      label="Cycles over time"
      columns={columns}
      rows={balanceRows(balances)}
      rowKey={({ at }) => at}
      empty={null}
    />
  );
}
