import type { CanisterDetails } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../components/ui/button.tsx';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { FactLine, FactLines } from '../../../components/ui/fact-lines.tsx';
import { IdText } from '../../../components/ui/id-text.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { PRODUCT_NAME } from '../../../config/env.ts';
import { isMissing } from '../../../lib/api/api-error.ts';
import { byteSize } from '../../../lib/text/byte-size.ts';
import { canisterDetailsQuery } from '../api/queries.ts';
import { BalanceCard } from '../balance/balance-card.tsx';
import { memoryParts } from './memory-parts.ts';
import { RunningCostsCard } from './running-costs-card.tsx';

/** What a canister's memory holds, as a bar and in numbers. */
function MemoryCard({ memory }: { memory: CanisterDetails['memory'] }) {
  const parts = memoryParts(memory);
  return (
    <Card className="min-w-0">
      <CardHeader title="Memory" note={byteSize(memory.total)} />
      <div className="px-5 pb-5">
        <div aria-hidden="true" className="flex h-3 gap-px overflow-hidden rounded-full bg-sunken">
          {parts.map(({ key, share, colour }) => (
            // A part of a few bytes still shows.
            <span key={key} className="min-w-1" style={{ flexGrow: share, background: colour }} />
          ))}
        </div>
        {parts.length === 0 ? (
          <p className="mt-4 text-sm text-muted">Nothing is stored yet.</p>
        ) : (
          <ul className="mt-4 grid gap-x-8 gap-y-2 sm:grid-cols-2">
            {parts.map(({ key, label, bytes, share, colour }) => (
              <li key={key} className="flex items-center gap-2 text-sm">
                <span
                  aria-hidden="true"
                  className="size-2.5 shrink-0 rounded-full"
                  style={{ background: colour }}
                />
                <span className="flex-1">{label}</span>
                <span title={`${bytes.toLocaleString('en-US')} bytes`}>{byteSize(bytes)}</span>
                <span className="w-12 text-right text-muted">{share < 1 ? '<1' : Math.round(share)} %</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}

const number = (text: string): string => BigInt(text).toLocaleString('en-US');

/** How much a canister was queried, and how often it changed. */
function UsageCard({ details }: { details: CanisterDetails }) {
  const { calls, instructions, request_bytes, response_bytes } = details.query_stats;
  return (
    <Card className="min-w-0">
      <CardHeader title="Usage" />
      <FactLines>
        <FactLine label="Query calls">{number(calls)}</FactLine>
        <FactLine label="Query instructions">{number(instructions)}</FactLine>
        <FactLine label="Query traffic">
          {byteSize(request_bytes)} in, {byteSize(response_bytes)} out
        </FactLine>
        <FactLine label="Version">
          <span title="Counts every change of the canister: of code, settings and running state, and by each message that ran">
            {number(details.version)}
          </span>
        </FactLine>
      </FactLines>
    </Card>
  );
}

/** Who may change a canister. */
function ControllersCard({ details }: { details: CanisterDetails }) {
  const { controllers } = details.settings;
  return (
    <Card className="min-w-0">
      <CardHeader title="Controllers" note={controllers.length} />
      <ul className="flex flex-col gap-2 px-5 pb-5">
        {controllers.map((controller) => (
          <li key={controller} className="flex flex-wrap items-center gap-x-2">
            <IdText id={controller} of="controller" />
            {controller === details.console_principal && <Chip tone="info">{PRODUCT_NAME}</Chip>}
          </li>
        ))}
      </ul>
    </Card>
  );
}

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
