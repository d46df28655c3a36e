import { deployTypeOf } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../../config/paths.ts';
import { CreateDeployForm } from '../../features/deploy/create/create-deploy-form.tsx';
import { branchesQuery, ownAccountQuery } from '../../features/repository/repositories.ts';
import { freeName } from '../../features/repository/upload/chosen-files.ts';
import { draftOf, type DeployDraft } from '../../lib/shared/deploy-draft.ts';
import { deployTypeText } from '../../lib/text/deploy-type-text.ts';
import { outsideUrl, providerPlace } from '../../lib/text/public-address.ts';
import { configQuery } from '../../lib/shared/public-config.ts';
import { repositoryLinks } from '../../lib/text/repository-links.ts';
import { failedList, rowsToShow } from '../../lib/table/rows.ts';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';

/** The branch of a repository that is made of a template. */
const TEMPLATE_BRANCHES = [{ name: 'main' }];

const route = getRouteApi('/signed-in/ics/deploy/new');

function Form({ draft }: { draft: DeployDraft }) {
  const deployType = deployTypeOf(route.useSearch().deploy_type);
  const navigate = useNavigate();
  const { data: config, isPending } = useQuery(configQuery);
  const { owner, repo_name: repo, isPublic } = draft;
  const outside = outsideUrl(draft, providerPlace(config));
  const branches = useQuery({
    ...branchesQuery({ owner, repo, isPublic, url: outside }),
    // Until the configuration is there, nobody knows whose address it is.
    enabled: !isPending && draft.template === undefined,
  });
  // A template has no repository yet: as what it will be there is told by what there is.
  const { data: account } = useQuery({ ...ownAccountQuery, enabled: draft.template !== undefined });
  const taken = account?.repositories.map(({ name }) => name) ?? [];
  const links = repositoryLinks(
    { url: outside ?? null, github_repo_owner: owner, repo_name: repo, branch: '' },
    config,
  );
  return (
    <div className="flex flex-col gap-5">
      <div>
        <p className="text-sm text-muted">{deployTypeText(deployType)}</p>
        <h1 className="text-xl font-semibold wrap-anywhere">
          You are creating deploy for{' '}
          {draft.template === undefined ? (
            <a
              href={outside === undefined && draft.url ? draft.url : links.page}
              target="_blank"
              rel="noreferrer"
              className="text-accent underline decoration-1 underline-offset-4"
            >
              {links.name}
            </a>
          ) : (
            `${account?.owner ?? owner}/${freeName(repo, taken)}`
          )}
        </h1>
      </div>
      <CreateDeployForm
        draft={draft}
        outsideUrl={outside}
        deployType={deployType}
        branches={draft.template === undefined ? rowsToShow(branches) : TEMPLATE_BRANCHES}
        onReadBranches={failedList(branches) && (() => void branches.refetch())}
        onType={(type) =>
          void navigate({
            to: paths.deployNew,
            search: { deploy_type: type },
            state: draft,
            replace: true,
            resetScroll: false,
          })
        }
        onDeployed={(id) => void navigate({ to: paths.deploy, params: { id } })}
      />
    </div>
  );
}

/** The create-deploy form for the repository that the navigation state names. */
export function DeployNewPage() {
  usePageTitle('Create a deploy');
  const location = useLocation();
  // Kept while the page is open: leaving it clears the state before the page is gone.
  const [draft] = useState(() => draftOf(location.state));
  return draft ? <Form draft={draft} /> : null;
}
