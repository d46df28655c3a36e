import { useQuery } from '@tanstack/react-query';
import type { Canister, DappInstance, Deploy } from '@cannery/contract';
import { type ReactNode, startTransition, useEffect, useMemo, useState } from 'react';
import { AsOf } from '../../components/connection/as-of.tsx';
import { Card } from '../../components/ui/card.tsx';
import { BalanceCard } from '../../features/account/balance-card.tsx';
import { InsightFacts } from '../../features/account/insight-facts.tsx';
import { useFirstSteps } from '../../features/account/first-steps.ts';
import { TransactionsTable } from '../../features/account/transactions-table.tsx';
import { instancesQuery } from '../../features/canister/dapp/instances.ts';
import { liveCanistersQuery } from '../../features/canister/api/queries.ts';
import { liveDeploysQuery } from '../../features/deploy/api/queries.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';
import { useQuiet } from '../../lib/browser/typing.ts';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';
import { newestApps } from '../dashboard/apps.ts';
import { APPS_OF_CARD, AppsCard } from '../dashboard/apps-card.tsx';
import { attentionOf } from '../dashboard/attention.ts';
import { AttentionList } from '../dashboard/attention-list.tsx';
import { FirstApp, useFirstTemplates } from '../dashboard/first-app.tsx';
import { FirstWeek, FirstWeekCard } from '../dashboard/first-week.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { countRunning } from '../../features/canister/api/canister-state.ts';

/** The same each time, for what is worked out of it. */
const NOTHING: readonly never[] = [];

/** Whether a call has an answer, or none after its first try: nothing waits for another one. */
function isSettled({ isPending, failureCount }: { isPending: boolean; failureCount: number }): boolean {
  return !isPending || failureCount > 0;
}

/** How many canisters run and how many do not. */
function StatusCounts({ canisters }: { canisters: readonly Canister[] }) {
  const { running, others } = countRunning(canisters);
  const states = [
    { name: 'Running', count: running, dot: 'bg-ok' },
    { name: 'Stopped', count: others, dot: 'bg-warn' },
  ].filter(({ count }) => count > 0);
  return (
    <ul aria-label="Canisters by status" className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
      {states.map(({ name, count, dot }) => (
        <li key={name} className="flex items-center gap-2">
          <span className={`size-2 rounded-full ${dot}`} />
          <span className="font-semibold text-ink">{count}</span>
          <span>{name}</span>
        </li>
      ))}
    </ul>
  );
}

interface OwnedProps {
  readonly canisters: readonly Canister[];
  readonly deploys: readonly Deploy[];
  readonly instances: readonly DappInstance[];
}

/** What needs attention, gone through again only where something of it has changed. */
function Attention({ canisters, deploys, instances }: OwnedProps) {
  const all = useMemo(() => attentionOf({ canisters, deploys, instances }), [canisters, deploys, instances]);
  return <AttentionList all={all} />;
}

function Apps({ canisters, deploys }: Pick<OwnedProps, 'canisters' | 'deploys'>) {
  const apps = useMemo(() => newestApps(deploys, canisters, APPS_OF_CARD), [deploys, canisters]);
  return <AppsCard apps={apps} />;
}

interface LaterProps {
  /** Whether all was known when the page was opened: who comes back is led to the place where they were, and it has to be there. */
  readonly atOnce: boolean;
  readonly children: ReactNode;
}

/** What is further down comes a frame later, so that what is above, and keys, do not wait for it; nothing has to move for it. */
function Later({ atOnce, children }: LaterProps) {
  const [isTime, setTime] = useState(atOnce);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setTime(true)));
    return () => clearTimeout(timer);
  }, []);
  return isTime && children;
}

/** What needs attention, what runs, and what it costs; for a new account the ways to its first app. */
export function DashboardPage() {
  usePageTitle('Dashboard');
  const canisters = useQuery(liveCanistersQuery);
  const deploys = useQuery(liveDeploysQuery);
  const instances = useQuery(instancesQuery);
  const owned = {
    canisters: canisters.data ?? NOTHING,
    deploys: deploys.data ?? NOTHING,
    instances: instances.data ?? NOTHING,
  };
  const isNew = canisters.data?.length === 0 && deploys.data?.length === 0;
  const templates = useFirstTemplates(isNew);
  const steps = useFirstSteps();
  // All comes at once, and with thousands of canisters takes several frames: whoever types in the palette meanwhile comes first.
  const isSettledNow =
    [canisters, deploys, instances, steps.query].every(isSettled) && !(isNew && templates === undefined);
  const isKnown = useQuiet(isSettledNow);
  const [atOnce] = useState(isSettledNow);
  const week = { steps, canister: owned.canisters[0]?.id, deploy: owned.deploys[0]?.id };
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h1 className="text-xl font-semibold">Dashboard</h1>
        <AsOf of={[queryKeys.canisters, queryKeys.deploys]} />
      </div>
      {/* So that nothing has to move for what comes later. */}
      {!isKnown ? (
        <DashboardSkeleton />
      ) : (
        <>
          {isNew ? (
            <>
              <FirstApp templates={templates ?? []}>
                <FirstWeek {...week} />
              </FirstApp>
              <Card className="animate-entrance p-5">
                <InsightFacts />
              </Card>
            </>
          ) : (
            <>
              <Attention {...owned} />
              <FirstWeekCard {...week} />
              <Apps canisters={owned.canisters} deploys={owned.deploys} />
              <Later atOnce={atOnce}>
                <BalanceCard title="Cycles">
                  <div className="flex flex-wrap items-end gap-x-14 gap-y-3">
                    <InsightFacts />
                    <StatusCounts canisters={owned.canisters} />
                  </div>
                </BalanceCard>
              </Later>
            </>
          )}
          <Later atOnce={atOnce}>
            <TransactionsTable />
          </Later>
        </>
      )}
    </div>
  );
}

/** The dashboard before it is known what there is to show. */
function DashboardSkeleton() {
  return (
    <div role="status" aria-label="Loading dashboard" className="flex flex-col gap-5">
      <Card>
        <Skeleton className="mx-5 my-5 h-5 w-24" />
        {['first', 'second', 'third', 'fourth'].map((row) => (
          <div key={row} className="flex h-16 items-center justify-between gap-5 border-t border-line px-5">
            <Skeleton className="h-8 w-48" />
            <Skeleton className="h-6 w-20" />
          </div>
        ))}
      </Card>
      <Card className="flex h-92 flex-col gap-5 p-5">
        <Skeleton className="h-5 w-24" />
        <Skeleton className="h-14 w-64" />
        <Skeleton className="h-52 w-full" />
      </Card>
    </div>
  );
}
