import type { CanisterDetails } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../components/ui/button.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { FactLine, FactLines } from '../../../components/ui/fact-lines.tsx';
import { IdText } from '../../../components/ui/id-text.tsx';
import { RailSection } from '../../../components/ui/object-page.tsx';
import { SystemName } from '../../../components/ui/system-name.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { PRODUCT_NAME } from '../../../config/env.ts';
import { isMissing } from '../../../lib/api/api-error.ts';
import { byteSize } from '../../../lib/text/byte-size.ts';
import { canisterDetailsQuery } from '../api/queries.ts';
import { memoryParts } from './memory-parts.ts';
import { RunningCosts } from './running-costs.tsx';

/** What a canister's memory holds, as a bar and in numbers. */
function Memory({ memory }: { memory: CanisterDetails['memory'] }) {
  const parts = memoryParts(memory);
  return (
    <RailSection title="Memory" note={byteSize(memory.total)}>
      <div aria-hidden="true" className="mt-1 flex h-2 gap-px overflow-hidden rounded-full bg-sunken">
        {parts.map(({ key, share, colour }) => (
          // A part of a few bytes still shows.
          <span key={key} className="min-w-1" style={{ flexGrow: share, background: colour }} />
        ))}
      </div>
      {parts.length === 0 ? (
        <p className="mt-3 text-sm text-muted">Nothing is stored yet.</p>
      ) : (
        <ul className="mt-3 flex flex-col gap-1.5">
          {parts.map(({ key, label, bytes, share, colour }) => (
            <li key={key} className="flex min-h-6 items-center gap-2 text-sm">
              <span
                aria-hidden="true"
                className="size-2.5 shrink-0 rounded-full"
                style={{ background: colour }}
              />
              <span className="flex-1 text-muted">{label}</span>
              <span title={`${bytes.toLocaleString('en-US')} bytes`}>{byteSize(bytes)}</span>
              <span className="w-10 text-right text-muted">{share < 1 ? '<1' : Math.round(share)} %</span>
            </li>
          ))}
        </ul>
      )}
    </RailSection>
  );
}

const number = (text: string): string => BigInt(text).toLocaleString('en-US');

/** How much a canister was queried, and how often it changed. */
function Usage({ details }: { details: CanisterDetails }) {
  const { calls, instructions, request_bytes, response_bytes } = details.query_stats;
  return (
    <RailSection title="Usage">
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
    </RailSection>
  );
}

/** Who may change a canister. */
function Controllers({ details }: { details: CanisterDetails }) {
  const { controllers } = details.settings;
  return (
    <RailSection title="Controllers" note={controllers.length}>
      <ul className="flex flex-col gap-1.5">
        {controllers.map((controller) => (
          <li key={controller} className="flex min-h-6 flex-wrap items-center gap-x-2">
            <IdText id={controller} of="controller" />
            <SystemName id={controller} />
            {controller === details.console_principal && <Chip tone="info">{PRODUCT_NAME}</Chip>}
          </li>
        ))}
      </ul>
    </RailSection>
  );
}

/** Titles of the facts with the lines that each has at least. */
const sections = [
  ['Running costs', 4],
  ['Usage', 4],
  ['Controllers', 1],
  ['Memory', 5],
] as const;

function Loading() {
  return (
    <div role="status" aria-label="Loading details" className="contents">
      {sections.map(([title, lines]) => (
        <RailSection key={title} title={title}>
          <div className="flex flex-col gap-1.5">
            {Array.from({ length: lines }, (_, line) => (
              <span key={line} className="flex h-6 items-center justify-between">
                <Skeleton className="w-28" />
                <Skeleton className="w-16" />
              </span>
            ))}
          </div>
        </RailSection>
      ))}
    </div>
  );
}

/** What the network says of a canister now, for the rail of its page: costs, usage, controllers and memory. */
export function CanisterOverview({ canisterId }: { canisterId: string }) {
  const { data, error, isPending, refetch } = useQuery(canisterDetailsQuery(canisterId));
  if (isPending) return <Loading />;
  if (isMissing(error)) return null;
  if (data === undefined) {
    return (
      <ErrorState
        title="The details cannot be shown."
        error={error}
        action={<Button onClick={() => void refetch()}>Try again</Button>}
      />
    );
  }
  return (
    <>
      <RunningCosts details={data} />
      <Usage details={data} />
      <Controllers details={data} />
      <Memory memory={data.memory} />
    </>
  );
}
