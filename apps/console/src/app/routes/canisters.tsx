import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { PageLoader } from '../../components/ui/page-loader.tsx';
import { DAPPS_PLACE } from '../../config/paths.ts';
import { useAccountRefresh } from '../../features/account/use-account-refresh.ts';
import { CanistersSection } from '../../features/canister/list/canisters-section.tsx';
import { liveCanistersQuery } from '../../features/canister/api/queries.ts';
import { DappsSection } from '../../features/deploy/page/dapps-section.tsx';
import { liveDeploysQuery } from '../../features/deploy/api/queries.ts';
import { toast } from '../../lib/toasts/toast-store.ts';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';
import { clockTime } from '../../lib/text/formats.ts';

/** How the first load of one of the two lists of the canisters page went. */
type LoadState = 'loading' | 'loaded' | 'failed';

/** The one toast for the first load of canisters and deploys, or undefined while it runs or when it went well. */
export function loadFailureText(canisters: LoadState, deploys: LoadState): string | undefined {
  if (canisters === 'loading' || deploys === 'loading') return undefined;
  if (canisters === 'failed' && deploys === 'failed') return 'Error while fetching caniser & deploy details';
  if (canisters === 'failed') return 'Error while fetching canister details';
  if (deploys === 'failed') return 'Error while fetching deploy details';
  return undefined;
}

function loadState(query: { readonly isPending: boolean; readonly isLoadingError: boolean }): LoadState {
  if (query.isPending) return 'loading';
  return query.isLoadingError ? 'failed' : 'loaded';
}

interface AsOfProps {
  /** A list of which later answers may fail; with the time of the last one that came, in milliseconds since 1970. */
  readonly list: { readonly isRefetchError: boolean; readonly dataUpdatedAt: number };
}

/** Of when a list is, from the first refresh of it that failed; nothing while it is fresh. */
function AsOf({ list: { isRefetchError, dataUpdatedAt } }: AsOfProps) {
  if (!isRefetchError) return null;
  const at = new Date(dataUpdatedAt).toISOString();
  return (
    <span role="status" className="text-sm whitespace-nowrap text-warn">
      as of <time dateTime={at}>{clockTime(at)}</time>
    </span>
  );
}

/** Canisters and DApps, both fetched again every five seconds. */
export function CanistersPage() {
  usePageTitle('Canisters');
  const canisters = useQuery(liveCanistersQuery);
  const deploys = useQuery(liveDeploysQuery);
  const refresh = useAccountRefresh();
  const told = useRef(false);
  const states = [loadState(canisters), loadState(deploys)] as const;
  const settled = !states.includes('loading');
  const failure = loadFailureText(...states);

  useEffect(() => {
    if (!settled || told.current) return;
    told.current = true;
    if (failure !== undefined) toast.tell('canisters: not loaded', { text: failure });
  }, [settled, failure]);

  // What the address names is there only now.
  const { hash } = useLocation();
  useEffect(() => {
    if (!settled || hash !== DAPPS_PLACE) return;
    const dapps = document.getElementById(DAPPS_PLACE);
    dapps?.scrollIntoView();
    dapps?.focus({ preventScroll: true });
  }, [settled, hash]);

  if (!settled) return <PageLoader label="Loading canisters and DApps" />;
  return (
    <div className="flex flex-col gap-5">
      <h1 className="sr-only">Canisters and DApps</h1>
      <CanistersSection
        canisters={canisters.data}
        error={canisters.error}
        age={<AsOf list={canisters} />}
        onRetry={() => void canisters.refetch()}
        onCreated={refresh.canisterCreated}
        onBalanceMoved={refresh.balanceMoved}
      />
      <div id={DAPPS_PLACE} tabIndex={-1} className="scroll-mt-20 outline-none">
        <DappsSection
          deploys={deploys.data}
          error={deploys.error}
          age={<AsOf list={deploys} />}
          onRetry={() => void deploys.refetch()}
        />
      </div>
    </div>
  );
}
