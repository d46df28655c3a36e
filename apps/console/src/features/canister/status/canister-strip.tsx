import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Chip } from '../../../components/ui/chip.tsx';
import { canisterDetailsQuery } from '../api/queries.ts';
import { freezingText } from './freezing-text.ts';

/** What stands beside a canister's status in a list of facts: frozen for lack of cycles, without code, or about to stop. */
export function CanisterBadges({ canisterId }: { canisterId: string }) {
  const { data } = useQuery(canisterDetailsQuery(canisterId));
  if (data === undefined || !(data.frozen || data.empty || data.status === 'stopping')) return null;
  return (
    <dd className="flex flex-wrap justify-end gap-1.5">
      {data.status === 'stopping' && (
        <Chip tone="warn" busy>
          Stopping
        </Chip>
      )}
      {data.frozen && (
        <span title="Too few cycles: calls are refused until the canister is topped up.">
          <Chip tone="bad">Frozen</Chip>
        </span>
      )}
      {data.empty && (
        <span title="No code is installed yet: calls are refused until there is some.">
          <Chip tone="neutral">Empty</Chip>
        </span>
      )}
    </dd>
  );
}

/** How long a canister's cycles last at rest: 'last 91 years'. Nothing while it is not known. */
export function CyclesLast({ canisterId }: { canisterId: string }) {
  const { data } = useQuery(canisterDetailsQuery(canisterId));
  if (data === undefined || data.frozen || data.days_until_freezing === null) return null;
  return (
    <span
      title="Until the canister freezes, at what it burns without any call"
      className="text-xs whitespace-nowrap text-muted"
    >
      last {freezingText(data.days_until_freezing, false)}
    </span>
  );
}

interface CanisterStripProps {
  /** The heading, and beside or beneath it what tells which canister it is. */
  readonly title: ReactNode;
  readonly id: ReactNode;
  /** An icon at the end of the first line, wherever the other actions stand. */
  readonly refresh: ReactNode;
  readonly actions: ReactNode;
  readonly facts: ReactNode;
}

/** How the head of a canister's page is laid out, also while the canister is loaded: all in one strip. */
export function CanisterStrip({ title, id, refresh, actions, facts }: CanisterStripProps) {
  return (
    <header className="@container relative animate-entrance rounded-card border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-2 px-4 py-3 md:px-5">
        <div className="flex min-h-9 min-w-0 flex-1 flex-wrap items-center gap-x-3 @max-[560px]:basis-full">
          <div className="flex min-h-7 min-w-0 items-center @max-[560px]:basis-full @max-[560px]:pr-10">
            {title}
          </div>
          {id}
        </div>
        <div className="@max-[560px]:absolute @max-[560px]:top-1.5 @max-[560px]:right-1.5">{refresh}</div>
        <div className="flex flex-wrap items-center gap-2 max-sm:*:grow @max-[900px]:order-1 @max-[900px]:basis-full">
          {actions}
        </div>
        <div className="basis-full">{facts}</div>
      </div>
    </header>
  );
}
