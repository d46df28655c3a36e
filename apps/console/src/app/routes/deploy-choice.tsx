import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { deployTypeOf, type DeployType } from '@cannery/contract';
import { Spinner } from '../../components/ui/spinner.tsx';
import { paths } from '../../config/paths.ts';
import { DeployTypeLinks } from '../../features/deploy/deploy-type-links.tsx';
import { ConnectPrompt } from '../../features/repository/connect-prompt.tsx';
import { GitAccounts } from '../../features/repository/git-accounts.tsx';
import { PublicRepository } from '../../features/repository/public-repository.tsx';
import { PushHelp } from '../../features/repository/push-help.tsx';
import { repositoriesQuery } from '../../features/repository/queries.ts';
import { RepositoryList } from '../../features/repository/repository-list.tsx';
import { Templates } from '../../features/repository/templates.tsx';
import { useAuth } from '../../lib/auth-store.ts';
import type { DeployDraft } from '../../lib/deploy-draft.ts';
import { deployTypeText } from '../../lib/deploy-type-text.ts';
import { withState } from '../../lib/fill-pattern.ts';
import { configQuery } from '../../lib/public-config.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';

const route = getRouteApi('/signed-in/ics/deploy');

/** Which repository to deploy: one's own, a public one, or one made from a template. */
export function DeployChoicePage() {
  const type = deployTypeOf(route.useSearch().type);
  const navigate = useNavigate();
  const user = useAuth().currentUser;
  const heading = `Create a new ${deployTypeText(type)}`;
  usePageTitle(heading);
  const config = useQuery(configQuery);
  const { data: repositories = [], isPending } = useQuery(repositoriesQuery);
  const provider = config.data?.git_provider;
  const loading = isPending || config.isPending;

  const open = (draft: Partial<DeployDraft>, deployType: DeployType = type): void => {
    void navigate({
      to: paths.deployNew,
      search: { deploy_type: deployType },
      state: draft,
    });
  };
  const installUrl = provider
    ? withState(provider.install_url, { user_id: user?.id ?? '', deploy_type: type })
    : '';
  const hasRepositories = repositories.length > 0;

  const templates = provider?.embedded && (
    <Templates
      deployType={type}
      onReady={({ name, owner, url }, template) =>
        open(
          {
            repo_name: name,
            owner: owner.login,
            isPublic: false,
            url,
            name,
            build_command: template.build_command,
            publish_directory: template.publish_directory,
          },
          deployTypeOf(template.deploy_type),
        )
      }
    />
  );

  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-3">
        <h1 className="text-xl font-semibold">{heading}</h1>
        <DeployTypeLinks current={type} />
      </div>
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-5">
          {loading && (
            <div role="status" className="grid min-h-40 place-items-center text-muted">
              <Spinner label="Loading repositories" className="size-6" />
            </div>
          )}
          {!loading && hasRepositories && (
            <RepositoryList
              repositories={repositories}
              onConnect={({ name, owner, url }) =>
                open({ repo_name: name, owner: owner.login, isPublic: false, url })
              }
            />
          )}
          {!hasRepositories && !loading && templates}
          {!loading && !hasRepositories && provider && (
            <ConnectPrompt provider={provider} installUrl={installUrl} />
          )}
          {hasRepositories && templates}
          <PublicRepository
            config={config.data}
            onContinue={({ owner, name, url }) => open({ repo_name: name, owner, isPublic: true, url })}
          />
          {provider?.embedded && user?.username && <PushHelp provider={provider} username={user.username} />}
        </div>
        {!loading && hasRepositories && provider && (
          <GitAccounts repositories={repositories} provider={provider} installUrl={installUrl} />
        )}
      </div>
    </div>
  );
}
