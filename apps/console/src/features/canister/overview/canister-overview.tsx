import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../components/ui/button.tsx';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { isMissing } from '../../../lib/api/api-error.ts';
import { BalanceCard } from '../balance/balance-card.tsx';
import { canisterDetailsQuery } from '../api/queries.ts';
import { ControllersCard } from './controllers-card.tsx';
import { MemoryCard } from './memory-card.tsx';
import { RunningCostsCard } from './running-costs-card.tsx';
import { UsageCard } from './usage-card.tsx';

const grid = 'grid gap-5 empty:hidden md:grid-cols-2';

function Loading() {
  return (
    <div role="status" aria-label="Loading details" className={`md:col-span-2 ${grid}`}>
      {['Memory', 'Running costs', 'Controllers', 'Usage'].map((title) => (
        <Card key={title} className="h-46 min-w-0">
          <CardHeader title={title} />
          <div className="flex flex-col gap-4 px-5">
            <Skeleton className="w-full" />
            <Skeleton className="w-2/3" />
            <Skeleton className="w-1/2" />
          </div>
        </Card>
      ))}
    </div>
  );
}

/** What the network says of a canister now. */
function Details({ canisterId }: { canisterId: string }) {
  const { data, error, isPending, refetch } = useQuery(canisterDetailsQuery(canisterId));
  if (isPending) return <Loading />;
  if (isMissing(error)) return null;
  if (data === undefined) {
    return (
      <Card className="md:col-span-2">
        <ErrorState
          title="The details cannot be shown."
          error={error}
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      </Card>
    );
  }
  return (
    <>
      <MemoryCard memory={data.memory} />
      <RunningCostsCard details={data} />
      <ControllersCard details={data} />
      <UsageCard details={data} />
    </>
  );
}

/** Cycles over time, memory, running costs, controllers and usage of a canister. */
export function CanisterOverview({ canisterId }: { canisterId: string }) {
  return (
    <div className={grid}>
      <BalanceCard canisterId={canisterId} />
      <Details canisterId={canisterId} />
    </div>
  );
}
