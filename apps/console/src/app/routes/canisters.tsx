import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { AsOf } from '../../components/connection/as-of.tsx';
import { PageLoader } from '../../components/ui/page-loader.tsx';
import { DAPPS_PLACE } from '../../config/paths.ts';
import { useAccountRefresh } from '../../features/account/use-account-refresh.ts';
import { CanistersSection } from '../../features/canister/list/canisters-section.tsx';
import { liveCanistersQuery } from '../../features/canister/api/queries.ts';
import { DappsSection } from '../../features/deploy/page/dapps-section.tsx';
import { liveDeploysQuery } from '../../features/deploy/api/queries.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';
import { toast } from '../../lib/toasts/toast-store.ts';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';

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
        age={<AsOf of={[queryKeys.canisters]} />}
        onRetry={() => void canisters.refetch()}
        onCreated={refresh.canisterCreated}
        onBalanceMoved={refresh.balanceMoved}
      />
      <div id={DAPPS_PLACE} tabIndex={-1} className="scroll-mt-20 outline-none">
        <DappsSection
          deploys={deploys.data}
          error={deploys.error}
          age={<AsOf of={[queryKeys.deploys]} />}
          onRetry={() => void deploys.refetch()}
        />
      </div>
    </div>
  );
}
