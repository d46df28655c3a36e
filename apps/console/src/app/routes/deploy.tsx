import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate, useParams } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import type { Deploy } from '@cannery/contract';
import { AsOf } from '../../components/connection/as-of.tsx';
import { Button, buttonClass } from '../../components/ui/button.tsx';
import { LeaveGuard } from '../../components/unsaved/leave-guard.tsx';
import { UnsavedBar } from '../../components/unsaved/unsaved-bar.tsx';
import { Card } from '../../components/ui/card.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { ObjectPage } from '../../components/ui/object-page.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { UnknownThing } from '../../components/ui/unknown-thing.tsx';
import { paths } from '../../config/paths.ts';
import { useAccountRefresh } from '../../features/account/use-account-refresh.ts';
import { DeployCanisters } from '../../features/deploy/page/deploy-canisters.tsx';
import { BreakingChanges, DeployOnPush, DeployWithout } from '../../features/deploy/settings/choice-form.tsx';
import { BuildSettingsForm } from '../../features/deploy/settings/build-settings-form.tsx';
import { NextRunPlan } from '../../features/deploy/create/deploy-plan.tsx';
import { StartingCyclesForm } from '../../features/deploy/settings/starting-cycles-form.tsx';
import { RepositoryGone } from '../../features/deploy/page/repository-gone.tsx';
import { PushPaused } from '../../features/deploy/page/push-paused.tsx';
import { DeployHeader } from '../../features/deploy/page/deploy-header.tsx';
import { activeInstances, liveRun } from '../../features/deploy/api/instances.ts';
import { deletionKey } from '../../features/deploy/api/mutations.ts';
import { deployQuery } from '../../features/deploy/api/queries.ts';
import { RunList } from '../../features/deploy/run/run-list.tsx';
import { DeployHookCard } from '../../features/deploy-hook/deploy-hook-card.tsx';
import { GoingBack } from '../../features/deploy/settings/going-back.tsx';
import { InstallArgumentsForm } from '../../features/deploy/settings/install-arguments-form.tsx';
import { PushTriggersForm } from '../../features/deploy/settings/push-triggers-form.tsx';
import { tellSaved } from '../../features/deploy/settings/save-settings.ts';
import { SettingsForm } from '../../features/deploy/settings/settings-form.tsx';
import { SiteNameForm } from '../../features/deploy/settings/site-name-form.tsx';
import { useStartRun } from '../../features/deploy/run/use-start-run.ts';
import { useRuns } from '../../features/deploy/run/use-runs.ts';
import { useSitePictures } from '../../features/deploy/page/site-picture.tsx';
import { isMissing } from '../../lib/api/api-error.ts';
import { usePublicConfig } from '../../lib/shared/public-config.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';
import { useThingOfPage } from '../../lib/live/thing-of-page.ts';
import { toast } from '../../lib/toasts/toast-store.ts';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';
import { DeployDeletion } from './deploy-deletion.tsx';
import { DeployRail } from './deploy-rail.tsx';

const route = getRouteApi('/signed-in/ics/deploy/$id');

function LoadingDeploy() {
  return (
    <div role="status" aria-label="Loading deploy" className="flex flex-col gap-5">
      <Skeleton className="h-16 w-80 max-w-full" />
      <ObjectPage rail={<Skeleton className="h-64 w-full" />}>
        <Skeleton className="h-56 w-full" />
        <Skeleton className="h-[calc(50vh+14rem)] w-full" />
      </ObjectPage>
    </div>
  );
}

function LoadedDeploy({ deploy }: { deploy: Deploy }) {
  const { tab, runId: named } = useParams({ strict: false });
  const navigate = useNavigate();
  const config = usePublicConfig();
  const account = useAccountRefresh();
  const [chosen, setExpanded] = useState<boolean>();
  const awaitPictures = useSitePictures(deploy);
  const { runs, isPending, error, refetch, polling } = useRuns(deploy, {
    onStarted: () => setExpanded(true),
    onMoved: () => {
      account.balanceMoved();
      awaitPictures();
    },
    onFinished: (run) => {
      if (run.status !== 'COMPLETED') return;
      toast.tell('deploy: finished');
      setExpanded(false);
    },
  });

  const expanded = chosen ?? (named === undefined || named === runs?.[0]?.id);

  const isOnSettings = tab === 'settings';
  const { id } = deploy;
  const showRun = useCallback(() => {
    setExpanded(true);
    if (isOnSettings) void navigate({ to: paths.deploy, params: { id }, resetScroll: false });
  }, [isOnSettings, navigate, id]);
  const shownRun = named === runs?.[0]?.id ? named : undefined;
  const [openedFor, setOpenedFor] = useState(shownRun);
  if (shownRun !== openedFor) {
    setOpenedFor(shownRun);
    if (shownRun !== undefined) setExpanded(true);
  }
  const { start, isPending: isStarting } = useStartRun(deploy.id, showRun);
  const busy = isStarting || polling;

  const details =
    runs === undefined && !isPending ? (
      <Card>
        <ErrorState
          title="The runs of this deploy cannot be shown."
          error={error}
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      </Card>
    ) : runs === undefined ? (
      // As tall as a run with its log, so that the facts beneath stay where they are.
      <Skeleton className="h-[calc(50vh+14rem)] w-full" />
    ) : (
      <RunList
        deploy={deploy}
        runs={runs}
        expanded={expanded}
        onExpandedChange={setExpanded}
        named={named}
        busy={busy}
        onTrigger={(canisters) => void start(canisters)}
      />
    );

  return (
    <div className="flex flex-col gap-5">
      <DeployHeader
        deploy={deploy}
        config={config}
        busy={busy}
        onTrigger={start}
        lastRun={runs?.[0]?.id ?? ''}
      />
      {deploy.repository_deleted === true && <RepositoryGone deploy={deploy} />}
      <PushPaused deploy={deploy} />
      {runs !== undefined && !busy && deploy.repository_deleted !== true && (
        <NextRunPlan deploy={deploy} lastRun={runs[0]?.id ?? ''} />
      )}
      <ObjectPage rail={<DeployRail deploy={deploy} />}>
        <DeployCanisters
          deploy={deploy}
          config={config}
          live={runs && (liveRun(runs, deploy.live_run) ?? null)}
        />
        <Tabs
          label="Deploy"
          age={<AsOf of={activeInstances(runs).map((run) => queryKeys.instance(deploy.id, run.id))} />}
          value={isOnSettings ? 'settings' : 'details'}
          onChange={(next) => void navigate({ to: paths.deployTab, params: { id: deploy.id, tab: next } })}
          tabs={[
            { value: 'details', label: 'Details', content: details },
            { value: 'settings', label: 'Settings', content: <DeploySettings deploy={deploy} /> },
          ]}
        />
      </ObjectPage>
    </div>
  );
}

function BackToDapps() {
  return (
    <Link to={paths.canisters} className={buttonClass()}>
      <ChevronLeft className="size-4" aria-hidden="true" />
      Back to DApps
    </Link>
  );
}

export function DeployPage() {
  const { id } = route.useParams();
  const query = useQuery(deployQuery(id));
  const { isPending, isLoadingError, error, refetch } = query;
  const deploy = useThingOfPage(query, deletionKey(id));
  usePageTitle(deploy?.name ?? 'Deploy');

  useEffect(() => {
    if (isLoadingError) toast.tell('deploy: not loaded');
  }, [isLoadingError]);

  if (isPending) return <LoadingDeploy />;
  if (!deploy && isMissing(error)) return <UnknownThing what="deploy" back={<BackToDapps />} />;
  if (!deploy) {
    return (
      <Card>
        <h1 className="sr-only">Deploy</h1>
        <ErrorState
          title="This deploy cannot be shown."
          error={error}
          action={
            <>
              <Button onClick={() => void refetch()}>Try again</Button>
              <BackToDapps />
            </>
          }
        />
      </Card>
    );
  }
  return <LoadedDeploy key={deploy.id} deploy={deploy} />;
}

function DeploySettings({ deploy }: { deploy: Deploy }) {
  return (
    <div className="flex flex-col gap-5">
      <SettingsForm deploy={deploy} />
      <BuildSettingsForm deploy={deploy} />
      <SiteNameForm deploy={deploy} />
      {deploy.url === null ? <DeployOnPush deploy={deploy} /> : <DeployHookCard deploy={deploy} />}
      <PushTriggersForm deploy={deploy} />
      {deploy.type !== 'STATIC_SITE' && (
        <>
          <DeployWithout deploy={deploy} />
          <BreakingChanges deploy={deploy} />
          <GoingBack deploy={deploy} />
          <InstallArgumentsForm deploy={deploy} />
          <StartingCyclesForm deploy={deploy} />
        </>
      )}
      <DeployDeletion deploy={deploy} />
      <UnsavedBar onSaved={tellSaved} />
      <LeaveGuard />
    </div>
  );
}
