import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ChevronLeft, RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import { buttonClass } from '../../components/ui/button-class.ts';
import { CandidLink } from '../../components/ui/candid-link.tsx';
import { Card } from '../../components/ui/card.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { IconButton } from '../../components/ui/icon-button.tsx';
import { IdText } from '../../components/ui/id-text.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { paths } from '../../config/paths.ts';
import { useAccountRefresh } from '../../features/account/use-account-refresh.ts';
import { CanisterActions } from '../../features/canister/canister-actions.tsx';
import { CanisterFacts } from '../../features/canister/canister-facts.tsx';
import { DeleteCanisterButton } from '../../features/canister/delete-canister-button.tsx';
import { useRefreshCanister } from '../../features/canister/mutations.ts';
import { canisterQuery } from '../../features/canister/queries.ts';
import { StatusLogsTable } from '../../features/canister/status-logs-table.tsx';
import { serverText } from '../../lib/describe-error.ts';
import { toast, toastDurations } from '../../lib/toast-store.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';

const route = getRouteApi('/signed-in/ics/canister/$id');

function Fetching({ id }: { id: string }) {
  return (
    <div className="flex flex-col gap-5">
      <p role="status" className="text-muted wrap-anywhere">
        Fetching details ({id})
      </p>
      <Card className="flex flex-wrap gap-10 p-5">
        {['cycles', 'status', 'hash'].map((part) => (
          <Skeleton key={part} className="h-12 w-40" />
        ))}
      </Card>
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

export function CanisterPage() {
  const { id } = route.useParams();
  const navigate = useNavigate();
  const { data: canister, isPending, isLoadingError, error } = useQuery(canisterQuery(id));
  const refresh = useRefreshCanister(id);
  const account = useAccountRefresh();
  usePageTitle(canister?.name ?? 'Canister');

  useEffect(() => {
    if (isLoadingError) {
      toast.error('Error while fetching canister details', { duration: toastDurations.canister });
    }
  }, [isLoadingError]);

  if (isPending) return <Fetching id={id} />;
  if (!canister) {
    return (
      <Card>
        <ErrorState title="This canister cannot be shown." error={error} action={<BackToCanisters />} />
      </Card>
    );
  }
  return (
    <div className="flex flex-col gap-5">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">{canister.name}</h1>
          <IdText id={canister.id} of="canister id" className="text-muted" />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <IconButton
            label="Refresh"
            disabled={refresh.isPending}
            onClick={() =>
              refresh.mutate(undefined, {
                onError: (failure) => toast.error(serverText(failure), { duration: toastDurations.canister }),
              })
            }
          >
            <RefreshCw className={refresh.isPending ? 'size-4 animate-spin' : 'size-4'} />
          </IconButton>
          <CandidLink id={canister.id} label="View in Candid UI" />
        </div>
      </header>
      <Card className="animate-entrance">
        <div className="p-5">
          <CanisterFacts canister={canister} />
        </div>
        <div className="flex flex-wrap gap-2 border-t border-line px-5 py-3">
          <CanisterActions canister={canister} startLabel="Run" onBalanceMoved={account.balanceMoved} />
        </div>
      </Card>
      <StatusLogsTable canisterId={canister.id} />
      <Card className="flex animate-entrance flex-wrap items-center justify-between gap-4 p-5">
        <div className="min-w-0 flex-1 basis-72">
          <h2 className="text-lg font-semibold">Delete this canister</h2>
          <p className="text-sm text-pretty text-muted">
            Its code, its data and the cycles it holds are lost for good.
          </p>
        </div>
        <DeleteCanisterButton
          canister={canister}
          onDeleted={() => {
            account.balanceMoved();
            void navigate({ to: paths.canisters });
          }}
        />
      </Card>
    </div>
  );
}
