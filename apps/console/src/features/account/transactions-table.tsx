import type { Transaction } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { DataTable } from '../../components/ui/data-table.tsx';
import type { Column } from '../../components/ui/table-view.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { TableMoment } from '../../components/ui/table-moment.tsx';
import { paths } from '../../config/paths.ts';
import { cyclesExact, cyclesInT } from '../../lib/text/cycles.ts';
import { NOT_AVAILABLE, tableDate } from '../../lib/text/formats.ts';
import { failedList, rowsToShow } from '../../lib/table/rows.ts';
import { dateValue } from '../../lib/table/sort.ts';
import { transactionsQuery } from '../../lib/shared/account.ts';
import { transactionCanister, transactionName } from './account-texts.ts';

function Amount({ cycles }: { cycles: number | null }) {
  if (cycles === null) return NOT_AVAILABLE;
  return (
    <span title={`${cyclesExact(cycles)} cycles`} className="whitespace-nowrap">
      {cyclesInT(cycles)}
    </span>
  );
}

function CanisterId({ id }: { id: string | undefined }) {
  if (id === undefined) return NOT_AVAILABLE;
  return (
    <Link
      to={paths.canister}
      params={{ id }}
      className="font-mono text-sm whitespace-nowrap text-accent hover:underline"
    >
      {id}
    </Link>
  );
}

const columns: readonly Column<Transaction>[] = [
  {
    id: 'name',
    heading: 'Transaction Name',
    stacked: 'title',
    cell: (row) => <span className="font-medium">{transactionName(row.transaction_name)}</span>,
    sortBy: (row) => transactionName(row.transaction_name),
  },
  {
    id: 'type',
    heading: 'Transaction Type',
    stacked: 'state',
    cell: ({ transaction_type: type }) =>
      type ? <Chip tone={type === 'CREDIT' ? 'ok' : 'bad'}>{type}</Chip> : NOT_AVAILABLE,
    sortBy: (row) => row.transaction_type,
  },
  {
    id: 'amount',
    heading: 'Amount',
    stacked: 'state',
    align: 'end',
    cell: (row) => <Amount cycles={row.amount} />,
    sortBy: (row) => row.amount,
  },
  {
    id: 'before',
    heading: 'Balance Before',
    stacked: 'next',
    stackedLabel: 'Balance',
    align: 'end',
    cell: (row) => <Amount cycles={row.balance_before} />,
    sortBy: (row) => row.balance_before,
  },
  {
    id: 'after',
    heading: 'Balance After',
    stacked: 'next',
    stackedLabel: 'to',
    align: 'end',
    cell: (row) => <Amount cycles={row.balance_after} />,
    sortBy: (row) => row.balance_after,
  },
  {
    id: 'canister',
    heading: 'Canister id',
    stacked: 'line',
    cell: (row) => <CanisterId id={transactionCanister(row)} />,
    sortBy: transactionCanister,
  },
  {
    id: 'created',
    heading: 'Created At',
    stacked: 'end',
    cell: (row) => <TableMoment at={row.created_at}>{tableDate(row.created_at)}</TableMoment>,
    sortBy: (row) => dateValue(row.created_at),
  },
];

/** The history of cycle movements. */
export function TransactionsTable() {
  const transactions = useQuery(transactionsQuery);
  return (
    <Card className="animate-entrance">
      <CardHeader title="Transactions" />
      <DataTable
        label="Transactions"
        address="transactions"
        columns={columns}
        width={1080}
        rows={rowsToShow(transactions)}
        rowKey={(row) => row.id}
        empty={
          <EmptyState
            drawing="records"
            title="No Transactions To Show"
            failed={failedList(transactions)}
            hint="Creating a canister or topping one up moves cycles; each transaction is listed here."
          />
        }
      />
    </Card>
  );
}
