import type { Canister } from '@cannery/contract';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { CandidLink } from '../../../components/ui/candid-link.tsx';
import { IconButton } from '../../../components/ui/icon-button.tsx';
import { IdText } from '../../../components/ui/id-text.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { nextStepOf, serverText } from '../../../lib/api/api-error.ts';
import { shown } from '../../../lib/text/formats.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { CanisterBadges, CanisterStrip, CyclesLast } from '../status/canister-strip.tsx';
import { CanisterFacts } from './canister-facts.tsx';
import { useRefreshCanister } from '../api/mutations.ts';

function RefreshButton({ id }: { id: string }) {
  const refresh = useRefreshCanister(id);
  return (
    <IconButton
      label="Refresh"
      disabled={refresh.isPending}
      onClick={() =>
        refresh.mutate(undefined, {
          onError: (failure) =>
            toast.tell('canister: not refreshed', { text: serverText(failure), hint: nextStepOf(failure) }),
        })
      }
    >
      <RefreshCw className={refresh.isPending ? 'size-4 animate-spin' : 'size-4'} />
    </IconButton>
  );
}

interface CanisterHeaderProps {
  readonly canister: Canister;
  readonly actions: ReactNode;
  /** What is done with its name, beside it. */
  readonly labels: ReactNode;
  readonly tags: ReactNode;
}

/** Name, id, facts and actions of a canister, with its refresh and the way to its Candid page. */
export function CanisterHeader({ canister, actions, labels, tags }: CanisterHeaderProps) {
  const { id } = canister;
  const name = shown(canister.name);
  return (
    <CanisterStrip
      title={
        <>
          <h1 title={name} className="line-clamp-2 text-xl font-semibold tracking-tight wrap-anywhere">
            {name}
          </h1>
          {labels}
        </>
      }
      id={
        <>
          <IdText id={id} of="canister id" className="text-muted" />
          {tags}
        </>
      }
      refresh={<RefreshButton id={id} />}
      actions={
        <>
          <CandidLink id={id} label="View in Candid UI" size="small" />
          {actions}
        </>
      }
      facts={
        <CanisterFacts
          canister={canister}
          badges={<CanisterBadges canisterId={id} />}
          lasts={<CyclesLast canisterId={id} />}
        />
      }
    />
  );
}

/** Widths of the actions, in the order they are in. */
const ACTIONS = ['w-38', 'w-20', 'w-29', 'w-32'] as const;

/** The same while the canister is loaded, as large as with it. */
export function FetchingHeader({ id }: { id: string }) {
  return (
    <CanisterStrip
      title={<Skeleton className="h-6 w-36" />}
      id={
        <p role="status" className="text-sm text-muted wrap-anywhere max-sm:leading-10 sm:leading-7">
          Fetching details ({id})
        </p>
      }
      refresh={<Skeleton className="size-9 max-sm:size-11" />}
      actions={ACTIONS.map((width) => <Skeleton key={width} className={`h-8 max-sm:h-11 ${width}`} />)}
      facts={<CanisterFacts canister={undefined} />}
    />
  );
}
