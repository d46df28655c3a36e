import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { shownTime } from '../../components/chart/chart-scale.ts';
import { LineChart } from '../../components/chart/line-chart.tsx';
import { RangeChoice } from '../../components/chart/range-choice.tsx';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { cycleTick } from '../../lib/text/cycles.ts';
import { type AccountRange, accountRanges, balancePoints } from './balance-points.ts';
import { transactionsQuery } from '../../lib/shared/account.ts';

const ranges = [
  { value: '7d', short: '7 d', long: '7 days' },
  { value: '30d', short: '30 d', long: '30 days' },
  { value: '1y', short: '1 y', long: '1 year' },
  { value: 'all', short: 'All', long: 'All time' },
] as const satisfies readonly { value: AccountRange; short: string; long: string }[];

interface BalanceCardProps {
  readonly title?: string;
  /** Above the chart. */
  readonly children?: ReactNode;
}

/** The balance of the account over time; what moved it is in the table of transactions. */
export function BalanceCard({ title = 'Balance over time', children }: BalanceCardProps) {
  const { data, dataUpdatedAt, isPending } = useQuery(transactionsQuery);
  const [range, setRange] = useState<AccountRange>('all');
  const points = balancePoints(data ?? [], { range, now: dataUpdatedAt });
  return (
    <Card className="animate-entrance">
      <CardHeader
        title={title}
        actions={<RangeChoice label="Shown time" ranges={ranges} value={range} onChange={setRange} />}
      />
      {children !== undefined && <div className="px-5 pb-4">{children}</div>}
      <div className="px-5 pb-3">
        {isPending ? (
          <div role="status" aria-label="Loading balance over time">
            <Skeleton className="h-52 w-full" />
          </div>
        ) : points.length > 1 ? (
          <LineChart
            label="Balance over time"
            points={points}
            shown={shownTime(points, { length: accountRanges[range], now: dataUpdatedAt })}
            tickText={cycleTick}
          />
        ) : (
          <div className="grid h-52 place-content-center gap-1 text-center">
            <p className="font-semibold">The line begins with the second transaction</p>
            <p className="text-sm text-muted">Each transaction below adds a step to it.</p>
          </div>
        )}
      </div>
    </Card>
  );
}
