import type { CanisterBalances } from '@cannery/contract';
import { pointsSince, shownTime } from '../../../components/chart/chart-scale.ts';
import { LineChart } from '../../../components/chart/line-chart.tsx';
import { DataTable } from '../../../components/ui/data-table.tsx';
import { TableMoment } from '../../../components/ui/table-moment.tsx';
import type { Column } from '../../../components/ui/table-view.tsx';
import { cyclesExact, cycleTick, cyclesInUnit } from '../../../lib/text/cycles.ts';
import { dateValue } from '../../../lib/table/sort.ts';
import { logTime } from '../../../lib/text/formats.ts';
import { type BalanceRow, balanceRows } from './balance-facts.ts';

interface BalanceChartProps {
  readonly balances: CanisterBalances;
  /** Cycles below which the canister is frozen; undefined while they are not known. */
  readonly freezingLimit: string | undefined;
  /** The range that was chosen, and when the readings came; in milliseconds. */
  readonly length: number;
  readonly now: number;
}

/** A canister's cycles as a line, with its top-ups and the limit at which it freezes. */
export function BalanceChart({ balances, freezingLimit, length, now }: BalanceChartProps) {
  const { samples, top_ups } = balances;
  const readings = samples.map(({ at, cycles }) => ({
    at: Date.parse(at),
    value: Number(cycles),
    text: `${cyclesExact(cycles)} cycles`,
  }));
  const shown = shownTime(readings, { length, now });
  const points = pointsSince(readings, shown.from);
  const marks = top_ups
    .map(({ at, cycles }) => ({ at: Date.parse(at), text: `Topped up ${cyclesInUnit(cycles)}` }))
    .filter(({ at }) => at >= shown.from && at <= shown.to);
  return (
    <>
      <LineChart
        label="Cycles over time"
        points={points}
        marks={marks}
        shown={shown}
        limit={
          freezingLimit === undefined ? undefined : { value: Number(freezingLimit), text: 'Freezing limit' }
        }
        tickText={cycleTick}
      />
      <p className="flex h-5 items-center gap-1.5 text-xs text-muted">
        {marks.length > 0 && (
          <>
            <svg viewBox="0 0 9 7" className="w-2.5 fill-ok" aria-hidden="true">
              <path d="M0 7h9l-4.5 -7z" />
            </svg>
            {marks.length === 1 ? '1 top-up' : `${marks.length} top-ups`} from the account
          </>
        )}
      </p>
    </>
  );
}

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
      width={640}
      rows={balanceRows(balances)}
      rowKey={({ at }) => at}
      empty={null}
    />
  );
}
