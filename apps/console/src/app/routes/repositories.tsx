import { deployTypeOf } from '@cannery/contract';
import { getRouteApi, Link, useLoaderData, useNavigate, useParams } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { buttonClass } from '../../components/ui/button.tsx';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { CommandBlock } from '../../components/ui/command-block.tsx';
import { ObjectPage, RailSection } from '../../components/ui/object-page.tsx';
import { paths } from '../../config/paths.ts';
import { DefaultBranch } from '../../features/repository/default-branch.tsx';
import { RepositoryChanges } from '../../features/repository/repository-changes.tsx';
import { RepositoryFiles, RepositoryHistory } from '../../features/repository/repository-content.tsx';
import { useIsRemovedHere } from '../../features/repository/repositories.ts';
import { accountQuery, contentQuery, type loadRepository } from '../../features/repository/load-pages.ts';
import { RepositoryHeading } from '../../features/repository/repository-heading.tsx';
import { RepositoryUsesSection } from '../../features/repository/repository-uses.tsx';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';
import { useLoaded } from '../../lib/live/use-loaded.ts';
import { fillPattern } from '../../lib/text/fill-pattern.ts';

const account = getRouteApi('/repositories/$owner');

function pushCommand(url: string): string {
  return `git remote add cannery ${url}\ngit push cannery HEAD`;
}

/** The user's own account at the git host that ships with Cannery: what is there, and how to bring more. */
export function RepositoryAccountPage() {
  const loaded = account.useLoaderData();
  const current = useLoaded(accountQuery(loaded.owner), loaded);
  const { owner, username, repositories, push_url_pattern: pattern } = current;
  const type = deployTypeOf(account.useSearch().type);
  usePageTitle(owner);
  return (
    <div className="flex max-w-4xl flex-col gap-5">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="min-w-0 text-xl font-semibold wrap-anywhere">{owner}</h1>
        <Link to={paths.deployChoice} search={{ type }} className={buttonClass({ className: 'ml-auto' })}>
          <ChevronLeft className="size-4" aria-hidden="true" />
          Back to the deploy
        </Link>
      </div>
      <Card className="pb-3">
        <CardHeader title="Repositories" note="Only you see them." />
        {repositories.length === 0 ? (
          <p className="px-5 pb-2 text-muted">There is no repository yet. Push one as below.</p>
        ) : (
          <ul>
            {repositories.map(({ name, default_branch: branch }) => (
              <li key={name} className="flex min-h-10 items-center justify-between gap-3 px-5">
                <Link
                  to="/$owner/$repo"
                  params={{ owner, repo: name }}
                  className="min-w-0 truncate font-medium text-accent hover:underline"
                >
                  {name}
                </Link>
                <span className="text-sm whitespace-nowrap text-muted">{branch ?? 'empty'}</span>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card className="pb-5">
        <CardHeader title="Push a repository" />
        <div className="flex flex-col gap-3 px-5">
          <CommandBlock
            text={pushCommand(fillPattern(pattern, { repo: 'my-project' }))}
            label="Copy the commands"
          />
          <p className="text-sm text-muted">
            Replace my-project with the name that you like; the first push creates the repository. Git asks
            for a username, {username}, and a password: an access token that you{' '}
            <Link
              to={paths.deployChoice}
              search={{ type, from: 'push' }}
              className="text-accent underline underline-offset-2"
            >
              create beside your repositories
            </Link>
            .
          </p>
        </div>
      </Card>
    </div>
  );
}

/** One of the user's repositories at a branch: how to clone it, its files, its README and its last commits. */
export function RepositoryPage() {
  const content = useLoaderData({ from: '/repositories/$owner/$repo' });
  return <Repository content={content} asked={undefined} />;
}

/** The same at the branch that the address names. */
export function RepositoryTreePage() {
  const content = useLoaderData({ from: '/repositories/$owner/$repo/tree/$' });
  const { _splat: asked } = useParams({ from: '/repositories/$owner/$repo/tree/$' });
  return <Repository content={content} asked={asked} />;
}

interface RepositoryProps {
  readonly content: Awaited<ReturnType<typeof loadRepository>>;
  /** The branch in the address. */
  readonly asked: string | undefined;
}

function Repository({ content: loaded, asked }: RepositoryProps) {
  const content = useLoaded(contentQuery(loaded, asked), loaded, useIsRemovedHere(loaded));
  const { uses } = content;
  const { owner, name, branch, branches, clone_url: url } = content;
  usePageTitle(branch === null ? name : `${name} at ${branch}`);
  const navigate = useNavigate();
  return (
    <div className="flex w-full flex-col gap-5">
      <RepositoryHeading owner={owner} name={name} />
      <ObjectPage
        rail={
          branch !== null && (
            <>
              <RailSection title="Clone">
                <CommandBlock text={`git clone ${url}`} label="Copy the command" />
              </RailSection>
              {uses && <RepositoryUsesSection owner={owner} repo={name} uses={uses} />}
            </>
          )
        }
        last={
          <>
            {branch !== null && <DefaultBranch key={name} content={content} />}
            <RepositoryChanges
              key={name}
              repository={content}
              onRenamed={(repo) => void navigate({ to: '/$owner/$repo', params: { owner, repo } })}
              onDeleted={() => void navigate({ to: '/$owner', params: { owner }, search: {} })}
            />
          </>
        }
      >
        {branch === null ? (
          <Card className="pb-5">
            <CardHeader title="Push the first commit" />
            <div className="px-5">
              <CommandBlock text={pushCommand(url)} label="Copy the commands" />
            </div>
          </Card>
        ) : (
          <>
            <nav aria-label="Branches" className="flex flex-wrap gap-2">
              {branches.map((one) => (
                <Link
                  key={one}
                  to="/$owner/$repo/tree/$"
                  params={{ owner, repo: name, _splat: one }}
                  aria-current={one === branch ? 'page' : undefined}
                  className={buttonClass({
                    variant: one === branch ? 'primary' : 'secondary',
                    size: 'small',
                    className: 'max-w-full',
                  })}
                >
                  <span className="truncate">{one}</span>
                </Link>
              ))}
            </nav>
            <RepositoryFiles content={content} />
            <RepositoryHistory content={content} />
          </>
        )}
      </ObjectPage>
    </div>
  );
}
