import { deployTypeOf } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../../config/paths.ts';
import { CreateDeployForm } from '../../features/deploy/create-deploy-form.tsx';
import { branchesQuery } from '../../features/repository/queries.ts';
import { draftOf, type DeployDraft } from '../../lib/deploy-draft.ts';
import { deployTypeText } from '../../lib/deploy-type-text.ts';
import { fillPattern } from '../../lib/fill-pattern.ts';
import { usePublicConfig } from '../../lib/public-config.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';

const route = getRouteApi('/signed-in/ics/deploy/new');

function Form({ draft }: { draft: DeployDraft }) {
  const deployType = deployTypeOf(route.useSearch().deploy_type);
  const navigate = useNavigate();
  const config = usePublicConfig();
  const { data: branches, isError } = useQuery(branchesQuery(draft.owner, draft.repo_name, draft.isPublic));
  const { owner, repo_name: repo } = draft;
  const url =
    draft.url ||
    (config && fillPattern(config.git_provider.repository_url_pattern, { owner, repo })) ||
    undefined;
  return (
    <div className="flex flex-col gap-5">
      <div>
        <p className="text-sm text-muted">{deployTypeText(deployType)}</p>
        <h1 className="text-xl font-semibold wrap-anywhere">
          You are creating deploy for{' '}
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className="text-accent underline decoration-1 underline-offset-4"
          >
            {owner}/{repo}
          </a>
        </h1>
      </div>
      <CreateDeployForm
        draft={draft}
        deployType={deployType}
        branches={branches ?? (isError ? [] : undefined)}
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
