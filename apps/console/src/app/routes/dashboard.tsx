import { useQuery } from '@tanstack/react-query';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { BalanceLine } from '../../features/account/balance-line.tsx';
import { InsightFacts } from '../../features/account/insight-facts.tsx';
import { TransactionsTable } from '../../features/account/transactions-table.tsx';
import { canistersQuery } from '../../features/canister/queries.ts';
import { StatusCounts } from '../../features/canister/status-counts.tsx';
import { LatestDeploys } from '../../features/deploy/latest-deploys.tsx';
import { deploysQuery } from '../../lib/deploys.ts';
import { firstSteps } from '../../lib/first-steps.ts';
import { rowsToShow } from '../../lib/rows-to-show.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { FirstStepsCard } from './first-steps-card.tsx';

/** Balance, canisters, latest deploys and the history of cycles; for a new user the first steps too. */
export function DashboardPage() {
  usePageTitle('Dashboard');
  const canisters = useQuery(canistersQuery);
  const deploys = useQuery(deploysQuery);
  const loaded = !canisters.isPending && !deploys.isPending;
  const steps = {
    hasCanister: (canisters.data?.length ?? 0) > 0,
    hasDeploy: (deploys.data?.length ?? 0) > 0,
    hasOpenedCandid: firstSteps.hasOpenedCandid(),
  };
  const allDone = Object.values(steps).every(Boolean);
  return (
    <div className="flex flex-col gap-5">
      <h1 className="text-xl font-semibold">Dashboard</h1>
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Card className="flex animate-entrance flex-col justify-between gap-5 overflow-hidden">
          <div className="px-5 pt-5 last:pb-5">
            <InsightFacts />
          </div>
          <BalanceLine />
        </Card>
        <Card className="animate-entrance">
          <CardHeader title="Canisters by status" />
          <div className="px-5 pb-5">
            <StatusCounts />
          </div>
        </Card>
      </div>
      <div
        className={
          loaded && !allDone
            ? 'grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]'
            : undefined
        }
      >
        <LatestDeploys deploys={rowsToShow(deploys)} />
        {loaded && !allDone && <FirstStepsCard {...steps} />}
      </div>
      <TransactionsTable />
    </div>
  );
}
