import type { CanisterLog } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { DataTable } from '../../../components/ui/data-table.tsx';
import type { Column } from '../../../components/ui/table-view.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { IdText } from '../../../components/ui/id-text.tsx';
import { Moment } from '../../../components/ui/moment.tsx';
import { WrapOnce } from '../../../components/ui/wrap-once.tsx';
import { cyclesCell } from '../../../lib/text/cycles.ts';
import { NOT_AVAILABLE, tableDate } from '../../../lib/text/formats.ts';
import { failedList, rowsToShow } from '../../../lib/table/rows.ts';
import { dateValue } from '../../../lib/table/sort.ts';
import { CanisterStatus } from '../status/canister-status.tsx';
import { moduleHashes } from '../api/canister-state.ts';
import { statusLogsQuery } from '../api/queries.ts';

const columns: readonly Column<CanisterLog>[] = [
  {
    id: 'cycles',
    heading: 'Cycles',
    stacked: 'next',
    cell: ({ cycles }) => <WrapOnce text={cyclesCell(cycles)} before="~" />,
    sortBy: ({ cycles }) => cycles,
  },
  {
    id: 'hash',
    heading: 'Module Hash',
    stacked: 'end',
    cell: ({ module_hash }) => {
      const hashes = moduleHashes(module_hash);
      if (hashes.length === 0) return NOT_AVAILABLE;
      return hashes.map((hash) => <IdText key={hash} id={hash} of="module hash" short />);
    },
    sortBy: ({ module_hash }) => moduleHashes(module_hash)[0],
  },
  {
    id: 'status',
    heading: 'Status',
    stacked: 'title',
    cell: ({ status }) => <CanisterStatus status={status} otherwise="bad" />,
    sortBy: ({ status }) => status,
  },
  {
    id: 'updated',
    heading: 'Update At',
    stacked: 'state',
    cell: ({ updated_at }) => <Moment at={updated_at}>{tableDate(updated_at)}</Moment>,
    sortBy: ({ updated_at }) => dateValue(updated_at),
  },
];

/** What the console has recorded of a canister. */
export function StatusLogsTable({ canisterId }: { canisterId: string }) {
  const logs = useQuery(statusLogsQuery(canisterId));
  return (
    <Card className="animate-entrance">
      <CardHeader title="Logs" note="Cycles, code and status after each action" />
      <DataTable
        label="Logs"
        address="logs"
        columns={columns}
        width={640}
        rows={rowsToShow(logs)}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            drawing="records"
            title="No Logs Found"
            failed={failedList(logs)}
            hint="Starting, stopping, installing and topping up each leave an entry here."
          />
        }
      />
    </Card>
  );
}
