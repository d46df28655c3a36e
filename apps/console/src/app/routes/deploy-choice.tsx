import { type DeployType, deployTypeOf, type PublicConfig, type Repository } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { AsOf } from '../../components/connection/as-of.tsx';
import { lazyPage } from '../../components/ui/lazy-page.ts';
import { Spinner } from '../../components/ui/spinner.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { paths } from '../../config/paths.ts';
import { DeployTypeLinks } from '../../features/deploy/create/deploy-type-links.tsx';
import { useArrived } from '../../features/repository/arrived.ts';
import {
  type ChoiceTab,
  choiceTabNames,
  firstTab,
  namedTab,
  offeredTabs,
} from '../../features/repository/choice-tabs.ts';
import { ConnectPrompt, GitAccounts } from '../../features/repository/git-accounts.tsx';
import { PublicRepository } from '../../features/repository/public-repository.tsx';
import { PushHelp } from '../../features/repository/push-help.tsx';
import { repositoriesQuery, templatesQuery } from '../../features/repository/repositories.ts';
import { RepositoryList } from '../../features/repository/repository-list.tsx';
import { templateDraft } from '../../features/repository/templates/template-draft.ts';
import { Templates } from '../../features/repository/templates/templates.tsx';
import { DropCard, useDrop } from '../../features/repository/upload/drop-card.tsx';
import { classNames } from '../../lib/class-names.ts';
import { useAuth } from '../../lib/session/auth-state.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';
import type { DeployDraft } from '../../lib/shared/deploy-draft.ts';
import { deployTypeText } from '../../lib/text/deploy-type-text.ts';
import { withState } from '../../lib/text/fill-pattern.ts';
import { configQuery } from '../../lib/shared/public-config.ts';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';

const route = getRouteApi('/signed-in/ics/deploy');

/** Dialogs of canisters, and what reads modules: nobody needs them before a module is dropped. */
const InstallFile = lazyPage(() => import('./install-file.tsx'), 'InstallFile');

function Loading() {
  return (
    <div role="status" className="grid min-h-40 place-items-center text-muted">
      <Spinner label="Loading repositories" className="size-6" />
    </div>
  );
}

/** What the tabs are about. */
interface Choice {
  readonly type: DeployType;
  readonly config: PublicConfig | undefined;
  /** Empty also when they cannot be had. */
  readonly repositories: readonly Repository[];
  /** Those that have come since the page is open. */
  readonly arrived: readonly Repository[];
  /** Where an account is connected. */
  readonly installUrl: string;
  readonly username: string | null | undefined;
  open(draft: Partial<DeployDraft>, deployType?: DeployType): void;
}

const draftOfOwn = ({ name, owner, url }: Pick<Repository, 'name' | 'owner' | 'url'>): DeployDraft => ({
  repo_name: name,
  owner: owner.login,
  isPublic: false,
  url,
});

/** The prompt to connect an account, for those who have no repository. */
function Prompt({ config, repositories, installUrl, main }: Choice & { main: boolean }) {
  if (repositories.length > 0) return null;
  return <ConnectPrompt provider={config?.git_provider} installUrl={installUrl} main={main} />;
}

function Public({ config, open, main }: Choice & { main: boolean }) {
  return (
    <PublicRepository
      config={config}
      main={main}
      onContinue={({ owner, name, url }) => open({ repo_name: name, owner, isPublic: true, url })}
    />
  );
}

function TemplateTab({ type, username, open }: Choice) {
  return (
    <Templates
      deployType={type}
      onUse={(template) => open(templateDraft(template, username ?? ''), deployTypeOf(template.deploy_type))}
    />
  );
}

function RepositoriesTab(choice: Choice) {
  const { repositories, open } = choice;
  if (repositories.length === 0) return <Prompt {...choice} main />;
  return (
    <RepositoryList repositories={repositories} onConnect={(repository) => open(draftOfOwn(repository))} />
  );
}

function UrlTab(choice: Choice) {
  return <Public {...choice} main />;
}

function PushTab({ config, username, arrived, open }: Choice) {
  if (!config || !username) return null;
  return (
    <PushHelp
      provider={config.git_provider}
      username={username}
      arrived={arrived}
      onDeploy={(repository) => open(draftOfOwn(repository))}
    />
  );
}

const contents: Readonly<Record<ChoiceTab, (choice: Choice) => React.ReactNode>> = {
  template: TemplateTab,
  repositories: RepositoriesTab,
  url: UrlTab,
  push: PushTab,
};

/** What stands beside a tab: the other ways to the code, and the accounts where repositories are chosen. */
function Beside({ tab, choice }: { tab: ChoiceTab | null; choice: Choice }) {
  const { config, repositories, installUrl } = choice;
  return (
    <>
      {tab === 'repositories' && repositories.length > 0 && config && (
        <GitAccounts repositories={repositories} provider={config.git_provider} installUrl={installUrl} />
      )}
      {tab !== 'url' && <Public {...choice} main={false} />}
      {tab === 'template' && <Prompt {...choice} main={false} />}
    </>
  );
}

/** Which code to deploy: of a template, of one's own or a public repository, of a push that is yet to come, or of this computer. */
export function DeployChoicePage() {
  const search = route.useSearch();
  const type = deployTypeOf(search.type);
  const navigate = useNavigate();
  const user = useAuth().currentUser;
  const heading = `Create a new ${deployTypeText(type)}`;
  usePageTitle(heading);
  const { data: config, isPending: configIsPending } = useQuery(configQuery);
  const { data: repositories, isPending } = useQuery(repositoriesQuery);
  const arrived = useArrived(repositories);
  const [wasm, setWasm] = useState<File>();
  const loading = isPending || configIsPending;

  const embedded = config?.git_provider.embedded ?? false;
  const { isLoading: templatesAreLoading } = useQuery({ ...templatesQuery, enabled: embedded });
  const offered = offeredTabs({ embedded });
  // Decided once: a push that arrives must not take away the tab that is looked at.
  const [first, setFirst] = useState<ChoiceTab>();
  if (first === undefined && !loading) setFirst(firstTab({ embedded, repositories: repositories?.length }));
  const tab = namedTab(search.from, offered) ?? first ?? null;

  const choice: Choice = {
    type,
    config,
    repositories: repositories ?? [],
    arrived,
    installUrl: config
      ? withState(config.git_provider.install_url, { user_id: user?.id ?? '', deploy_type: type })
      : '',
    username: user?.username,
    open: (draft, deployType = type) =>
      void navigate({ to: paths.deployNew, search: { deploy_type: deployType }, state: draft }),
  };
  const drop = useDrop({
    takesProjects: embedded,
    onWasm: setWasm,
    onPushed: (repository) => choice.open(draftOfOwn(repository)),
  });

  return (
    <div className="flex min-h-full flex-col gap-5" {...drop.area}>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h1 className="text-xl font-semibold">{heading}</h1>
          <AsOf of={[queryKeys.repositories]} />
        </div>
        <DeployTypeLinks current={type} />
      </div>
      {configIsPending ? (
        <Loading />
      ) : (
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_23rem]">
          <div className="min-w-0">
            <Tabs
              label="Where the code comes from"
              value={tab}
              onChange={(from) =>
                void navigate({ to: paths.deployChoice, search: { ...search, from }, resetScroll: false })
              }
              tabs={offered.map((value) => {
                const Content = contents[value];
                const waits = loading && (value === 'repositories' || value === 'template');
                return {
                  value,
                  label: choiceTabNames[value],
                  content: waits ? <Loading /> : <Content {...choice} />,
                };
              })}
            />
            {tab === null && <Loading />}
          </div>
          {/* As low as what is in the tabs. */}
          <aside
            aria-label="Other ways"
            className={classNames(
              'grid min-w-0 items-start gap-5 sm:max-lg:grid-cols-2 lg:pt-15',
              // Below the tabs it would be pushed down by what comes into them.
              (loading || templatesAreLoading) && 'max-lg:hidden',
            )}
          >
            <DropCard drop={drop} />
            {!loading && <Beside tab={tab} choice={choice} />}
          </aside>
        </div>
      )}
      {wasm !== undefined && (
        <Suspense>
          <InstallFile file={wasm} onEnd={() => setWasm(undefined)} />
        </Suspense>
      )}
    </div>
  );
}
