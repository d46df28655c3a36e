import type { Dapp } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ChevronLeft, Download } from 'lucide-react';
import { useState } from 'react';
import { findInstalled, focusWhenThere } from '../../components/focus/focus-when-there.ts';
import { Button, buttonClass } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { ObjectPage } from '../../components/ui/object-page.tsx';
import { Spinner } from '../../components/ui/spinner.tsx';
import { UnknownThing } from '../../components/ui/unknown-thing.tsx';
import { paths } from '../../config/paths.ts';
import { useAccountRefresh } from '../../features/account/use-account-refresh.ts';
import { DappInstances } from '../../features/canister/dapp/dapp-instances.tsx';
import { instancesQuery } from '../../features/canister/dapp/instances.ts';
import { DappActions } from '../../features/marketplace/card/dapp-actions.tsx';
import { DappPicture } from '../../features/marketplace/dapp-picture.tsx';
import { DappFacts, DappVersions } from '../../features/marketplace/dapp-details.tsx';
import { DappIcon } from '../../features/marketplace/card/dapp-icon.tsx';
import { dappName } from '../../features/marketplace/api/dapp-state.ts';
import { InstallDappDialog } from '../../features/marketplace/install/install-dapp-dialog.tsx';
import { deletionKey } from '../../features/marketplace/api/mutations.ts';
import { dappQuery } from '../../features/marketplace/api/queries.ts';
import { useInstallDapp } from '../../features/marketplace/install/use-install-dapp.ts';
import { isMissing } from '../../lib/api/api-error.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';
import { useLeaveDeleted, useThingOfPage } from '../../lib/live/thing-of-page.ts';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';

const route = getRouteApi('/signed-in/ics/dapp/$id');

function BackToMarketplace() {
  return (
    <Link to={paths.marketplace} className={buttonClass()}>
      <ChevronLeft className="size-4" aria-hidden="true" />
      Back to marketplace
    </Link>
  );
}

function LoadedDapp({ dapp }: { dapp: Dapp }) {
  const navigate = useNavigate();
  const account = useAccountRefresh();
  const instances = useQuery(instancesQuery);
  const { install, isInstalling, begunAs } = useInstallDapp(dapp.id);
  const [asking, setAsking] = useState(false);
  const leave = useLeaveDeleted();
  return (
    <ObjectPage
      rail={<DappFacts dapp={dapp} />}
      last={
        <>
          <DappInstances dappId={dapp.id} />
          {/* Beneath the instances, which would move it. */}
          {instances.isPending && instances.failureCount === 0 ? null : <DappVersions dappId={dapp.id} />}
        </>
      }
    >
      <Card className="animate-entrance p-5">
        <header className="flex flex-wrap items-start gap-4">
          <DappIcon icon={dapp.icon} className="size-20" />
          <div className="min-w-0 flex-1 basis-60">
            <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">{dappName(dapp)}</h1>
            <p className="mt-1 max-w-3xl text-pretty whitespace-pre-line wrap-anywhere text-muted">
              {dapp.description}
            </p>
          </div>
          <div className="flex items-center gap-2 max-sm:w-full">
            <Button variant="primary" className="max-sm:flex-1" onClick={() => setAsking(true)}>
              <Download className="size-4" aria-hidden="true" />
              Install dApp
            </Button>
            <DappActions
              dapp={dapp}
              onDeleted={() => void leave(queryKeys.dapp(dapp.id), paths.marketplace)}
            />
          </div>
        </header>
        {dapp.picture !== null && <DappPicture dapp={dapp} />}
      </Card>
      {asking && (
        <InstallDappDialog
          dapp={dapp}
          install={install}
          isInstalling={isInstalling}
          begunAs={begunAs}
          onClose={() => setAsking(false)}
          onInstalled={(id) => {
            account.canisterCreated();
            void navigate({ to: paths.canister, params: { id } });
            focusWhenThere(() => findInstalled(id));
          }}
        />
      )}
    </ObjectPage>
  );
}

/** A dapp of the marketplace. One that does not load ends the spinner, and says no more than that. */
export function DappPage() {
  const { id } = route.useParams();
  const query = useQuery(dappQuery(id));
  const { isPending, error } = query;
  const dapp = useThingOfPage(query, deletionKey(id));
  usePageTitle(dapp ? dappName(dapp) : 'DApp');
  if (isPending) {
    return (
      <div className="grid min-h-64 place-items-center">
        <Spinner label="Loading the dapp" />
      </div>
    );
  }
  if (dapp === undefined && isMissing(error)) {
    return <UnknownThing what="dapp" back={<BackToMarketplace />} />;
  }
  if (dapp === undefined) {
    return (
      <Card>
        <h1 className="sr-only">DApp</h1>
        <EmptyState drawing="marketplace" title="This dapp cannot be shown." action={<BackToMarketplace />} />
      </Card>
    );
  }
  return <LoadedDapp key={dapp.id} dapp={dapp} />;
}
