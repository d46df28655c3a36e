import type { Canister } from '@cannery/contract';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import type { ArgsInput } from '../../candid/form/read-args.ts';
import { EnteredArguments } from '../../candid/kept/entered-arguments.ts';
import { Button, buttonClass } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { ErrorBoundary } from '../../components/ui/error-boundary.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { lazyPage } from '../../components/ui/lazy-page.ts';
import { ObjectPage } from '../../components/ui/object-page.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { type TabEntry, Tabs } from '../../components/ui/tabs.tsx';
import { UnknownThing } from '../../components/ui/unknown-thing.tsx';
import { paths } from '../../config/paths.ts';
import { useAccountRefresh } from '../../features/account/use-account-refresh.ts';
import { CanisterActions } from '../../features/canister/actions/canister-actions.tsx';
import { CanisterHeader, FetchingHeader } from '../../features/canister/actions/canister-header.tsx';
import { type CanisterTab, canisterTabOf } from '../../features/canister/status/canister-tabs.ts';
import { SystemCanister } from '../../features/canister/actions/system-canister.tsx';
import { OriginLine, PendingOrigin } from '../../features/canister/dapp/origin-line.tsx';
import { DeleteCanisterButton } from '../../features/canister/actions/delete-canister-button.tsx';
import { BalanceCard } from '../../features/canister/balance/balance-card.tsx';
import { CanisterHistory } from '../../features/canister/history/canister-history.tsx';
import { CanisterLabels } from '../../features/canister/label/canister-labels.tsx';
import { TagChips } from '../../features/canister/label/tag-chips.tsx';
import { CanisterLogs } from '../../features/canister/logs/canister-logs.tsx';
import { CanisterOverview } from '../../features/canister/overview/canister-overview.tsx';
import { SiteCard } from '../../features/canister/site/site-card.tsx';
import { deletionKey } from '../../features/canister/api/mutations.ts';
import { canisterDetailsQuery, canisterQuery } from '../../features/canister/api/queries.ts';
import { moduleHashes } from '../../features/canister/api/canister-state.ts';
import { CanisterSnapshots } from '../../features/canister/snapshots/canister-snapshots.tsx';
import { StatusLogsTable } from '../../features/canister/list/status-logs-table.tsx';
import { isMissing } from '../../lib/api/api-error.ts';
import { systemName } from '../../lib/shared/system-canisters.ts';
import { usePublicConfig } from '../../lib/shared/public-config.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';
import { useLeaveDeleted, useThingOfPage } from '../../lib/live/thing-of-page.ts';
import { toast } from '../../lib/toasts/toast-store.ts';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';

/** It brings the reading of principals with it; it is here before its tab is pressed. */
const CanisterSettings = lazyPage(
  () => import('../../features/canister/settings/canister-settings.tsx'),
  'CanisterSettings',
);
const preload = (): void => void CanisterSettings.preload();

const CallTab = lazyPage(() => import('../../candid/call-tab.tsx'), 'CallTab');

const route = getRouteApi('/signed-in/ics/canister/$id');

function Fetching({ id }: { id: string }) {
  return (
    <div className="flex flex-col gap-5">
      <FetchingHeader id={id} />
      <div className="h-10 border-b border-line max-sm:h-11" />
      <ObjectPage rail={<PendingOrigin />}>
        <Card className="h-92" />
      </ObjectPage>
    </div>
  );
}

function CallsPending() {
  return (
    <div aria-busy="true" className="flex flex-col gap-5">
      <Skeleton className="h-14 w-full" />
      <Skeleton className="h-16 w-full" />
    </div>
  );
}

function BackToCanisters() {
  return (
    <Link to={paths.canisters} className={buttonClass()}>
      <ChevronLeft className="size-4" aria-hidden="true" />
      Back to canisters
    </Link>
  );
}

/** What deleting a canister comes to; of its cycles only what is known. */
function deletionText(returnsCycles: boolean | undefined): string {
  if (returnsCycles === undefined) return 'Its code, its data and its snapshots are lost for good.';
  return returnsCycles
    ? 'Its code, its data and its snapshots are lost for good; the cycles it holds come back to your account.'
    : 'Its code, its data, its snapshots and the cycles it holds are lost for good.';
}

function Overview({ canister, onDeleted }: { canister: Canister; onDeleted: () => void }) {
  const returnsCycles = usePublicConfig()?.delete_returns_cycles;
  return (
    <ObjectPage
      rail={
        <>
          <OriginLine canister={canister} />
          <CanisterOverview canisterId={canister.id} />
        </>
      }
      last={
        <>
          <StatusLogsTable canisterId={canister.id} />
          <Card className="flex animate-entrance flex-wrap items-center justify-between gap-4 p-5">
            <div className="min-w-0 flex-1 basis-72">
              <h2 className="text-lg font-semibold">Delete this canister</h2>
              <p className="text-sm text-pretty text-muted">{deletionText(returnsCycles)}</p>
            </div>
            <DeleteCanisterButton canister={canister} onDeleted={onDeleted} />
          </Card>
        </>
      }
    >
      <SiteCard canister={canister} />
      <BalanceCard canisterId={canister.id} />
    </ObjectPage>
  );
}

/** The methods of the canister; a service that tells no details cannot call as its controller either. */
function Calls({ canister: { id, module_hash: hash } }: { canister: Canister }) {
  const { data } = useQuery(canisterDetailsQuery(id));
  return (
    <Suspense fallback={<CallsPending />}>
      <ErrorBoundary key={id}>
        <CallTab
          canisterId={id}
          consolePrincipal={data?.console_principal}
          moduleHash={moduleHashes(hash)[0] ?? null}
        />
      </ErrorBoundary>
    </Suspense>
  );
}

function Settings({ canisterId }: { canisterId: string }) {
  return (
    <Suspense fallback={<Card className="h-92" />}>
      <ErrorBoundary key={canisterId}>
        <CanisterSettings canisterId={canisterId} />
      </ErrorBoundary>
    </Suspense>
  );
}

function LoadedCanister({ canister }: { canister: Canister }) {
  const { tab } = route.useSearch();
  const navigate = useNavigate();
  const account = useAccountRefresh();
  const leave = useLeaveDeleted();
  const { id } = canister;
  const [entered] = useState(() => new Map<string, ArgsInput>());
  const deleted = (): void => {
    account.balanceMoved();
    void leave(queryKeys.canister(id), paths.canisters);
  };
  const open = (next: CanisterTab): void => {
    const search = next === 'overview' ? {} : { tab: next };
    void navigate({ to: paths.canister, params: { id }, search, resetScroll: false });
  };
  const tabs: readonly TabEntry<CanisterTab>[] = [
    {
      value: 'overview',
      label: 'Overview',
      content: <Overview canister={canister} onDeleted={deleted} />,
    },
    { value: 'call', label: 'Call', content: <Calls canister={canister} /> },
    { value: 'logs', label: 'Canister logs', content: <CanisterLogs canisterId={id} /> },
    { value: 'settings', label: 'Settings', content: <Settings canisterId={id} /> },
    { value: 'snapshots', label: 'Snapshots', content: <CanisterSnapshots canister={canister} /> },
    { value: 'history', label: 'History', content: <CanisterHistory canisterId={id} /> },
  ];
  return (
    <div className="flex flex-col gap-5">
      <CanisterHeader
        canister={canister}
        labels={<CanisterLabels canister={canister} />}
        tags={<TagChips tags={canister.tags} />}
        actions={
          <CanisterActions
            canister={canister}
            startLabel="Run"
            size="small"
            onBalanceMoved={account.balanceMoved}
          />
        }
      />
      <div onPointerEnter={preload} onFocus={preload}>
        <EnteredArguments value={entered}>
          <Tabs label="Canister" value={canisterTabOf(tab)} onChange={open} tabs={tabs} />
        </EnteredArguments>
      </div>
    </div>
  );
}

/** A canister with the time of its state, also where it could not be read again; the service says it while the network is silent. */
function dated(canister: Canister, { isRefetchError, dataUpdatedAt }: UseQueryResult<Canister>): Canister {
  if (!isRefetchError || canister.as_of) return canister;
  return { ...canister, as_of: new Date(dataUpdatedAt).toISOString() };
}

export function CanisterPage() {
  const { id } = route.useParams();
  const query = useQuery(canisterQuery(id));
  const { isPending, isLoadingError, error, refetch } = query;
  const known = useThingOfPage(query, deletionKey(id));
  const canister = known && dated(known, query);
  const system = canister ? undefined : systemName(id);
  usePageTitle(canister?.name ?? system ?? 'Canister');

  useEffect(() => {
    if (isLoadingError && system === undefined) {
      toast.tell('canister: not loaded');
    }
  }, [isLoadingError, system]);

  if (isPending) return <Fetching id={id} />;
  if (system !== undefined) return <SystemCanister id={id} name={system} back={<BackToCanisters />} />;
  if (!canister && isMissing(error)) return <UnknownThing what="canister" back={<BackToCanisters />} />;
  if (!canister) {
    return (
      <Card>
        <h1 className="sr-only">Canister</h1>
        <ErrorState
          title="This canister cannot be shown."
          error={error}
          action={
            <>
              <Button onClick={() => void refetch()}>Try again</Button>
              <BackToCanisters />
            </>
          }
        />
      </Card>
    );
  }
  return <LoadedCanister key={canister.id} canister={canister} />;
}
