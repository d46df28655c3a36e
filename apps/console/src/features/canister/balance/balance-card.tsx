import {
  type BalanceRange,
  balanceRanges,
  type CanisterBalances,
  type CanisterDetails,
} from '@cannery/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChartLine, Table2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { RangeChoice } from '../../../components/chart/range-choice.tsx';
import { AsOf } from '../../../components/connection/as-of.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { IconButton } from '../../../components/ui/icon-button.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { isMissing } from '../../../lib/api/api-error.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { cyclesExact, cyclesInUnit } from '../../../lib/text/cycles.ts';
import { freezingText } from '../status/freezing-text.ts';
import { BALANCES_REFRESH_MS, canisterBalancesQuery, canisterDetailsQuery } from '../api/queries.ts';
import { BalanceChart, BalanceTable } from './balance-views.tsx';
import { balanceFacts, daysAtPace } from './balance-facts.ts';

const ranges = [
  { value: '24h', short: '24 h', long: '24 hours' },
  { value: '7d', short: '7 d', long: '7 days' },
  { value: '30d', short: '30 d', long: '30 days' },
  { value: '1y', short: '1 y', long: '1 year' },
] as const satisfies readonly { value: BalanceRange; short: string; long: string }[];

function timeOf(range: BalanceRange): string {
  return ranges.find(({ value }) => value === range)?.long ?? range;
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="mt-0.5 font-medium">{children}</dd>
    </div>
  );
}

function Amount({ cycles, suffix = '' }: { cycles: bigint; suffix?: string }) {
  const text = cycles.toString();
  return (
    <span title={`${cyclesExact(text)} cycles`}>
      {cyclesInUnit(text)}
      {suffix}
    </span>
  );
}

interface FactsProps {
  readonly balances: CanisterBalances;
  readonly details: CanisterDetails | undefined;
  /** The time that the readings are of, such as '24 hours'. */
  readonly time: string;
}

function Facts({ balances, details, time }: FactsProps) {
  const { burned, perDay } = balanceFacts(balances.samples);
  const added = balances.top_ups.reduce((sum, { cycles }) => sum + BigInt(cycles), 0n);
  const days =
    details && daysAtPace({ cycles: BigInt(details.cycles), limit: BigInt(details.freezing_limit) }, perDay);
  const unknown = <span className="font-normal text-muted">after an hour of readings</span>;
  return (
    <dl className="grid grid-cols-2 gap-x-8 gap-y-3 border-t border-line px-5 py-4 md:grid-cols-4">
      <Fact label={`Burned in ${time}`}>
        <Amount cycles={burned} />
      </Fact>
      <Fact label={`Topped up in ${time}`}>
        <Amount cycles={added} />
      </Fact>
      <Fact label="Burn per day">{perDay === undefined ? unknown : <Amount cycles={perDay} />}</Fact>
      <Fact label="Freezing at this pace">
        {details === undefined || days === undefined ? unknown : freezingText(days, details.frozen)}
      </Fact>
    </dl>
  );
}

/** The cycles of a canister over time, as a chart or as a table, with what they say about its burn. */
export function BalanceCard({ canisterId }: { canisterId: string }) {
  const [range, setRange] = useState<BalanceRange>('24h');
  const [asTable, setAsTable] = useState(false);
  const { data, dataUpdatedAt, error, refetch } = useQuery({
    ...canisterBalancesQuery(canisterId, range),
    placeholderData: keepPreviousData,
  });
  const { data: details } = useQuery(canisterDetailsQuery(canisterId));
  const enough = data !== undefined && data.samples.length > 1;
  if (isMissing(error)) return null;
  return (
    <Card className="min-w-0">
      <CardHeader
        title="Cycles over time"
        age={<AsOf of={[queryKeys.canisterBalances(canisterId, range)]} everyMs={BALANCES_REFRESH_MS} />}
        actions={
          <>
            <RangeChoice label="Shown time" ranges={ranges} value={range} onChange={setRange} />
            <IconButton
              label={asTable ? 'Show as chart' : 'Show readings as table'}
              disabled={!enough}
              onClick={() => setAsTable(!asTable)}
            >
              {asTable ? <ChartLine className="size-4" /> : <Table2 className="size-4" />}
            </IconButton>
          </>
        }
      />
      {enough ? (
        <>
          {asTable ? (
            <BalanceTable balances={data} />
          ) : (
            <div className="px-5 pb-2">
              <BalanceChart
                balances={data}
                freezingLimit={details?.freezing_limit}
                length={balanceRanges[range] * 1000}
                now={dataUpdatedAt}
              />
            </div>
          )}
          <Facts balances={data} details={details} time={timeOf(range)} />
        </>
      ) : data !== undefined ? (
        <div className="grid h-77 place-content-center gap-1 px-6 text-center">
          <p className="font-semibold">The line begins with the second reading</p>
          <p className="max-w-md text-sm text-pretty text-muted">
            The balance is read every five minutes and after each action on this canister.
          </p>
        </div>
      ) : error ? (
        <ErrorState
          title="The cycles over time cannot be shown."
          error={error}
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      ) : (
        <div role="status" aria-label="Loading cycles over time" className="h-77 px-5">
          <Skeleton className="h-52 w-full" />
        </div>
      )}
    </Card>
  );
}
