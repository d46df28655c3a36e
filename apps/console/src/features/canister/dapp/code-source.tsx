import type { Canister } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../../config/paths.ts';
import { usePublicConfig } from '../../../lib/shared/public-config.ts';
import { shown } from '../../../lib/text/formats.ts';
import { outsideCommit, repositoryLinks } from '../../../lib/text/repository-links.ts';

export type Origin = NonNullable<Canister['origin']>;
type CanisterDeploy = NonNullable<Canister['deploy']>;

const nameClass = 'font-medium wrap-anywhere text-accent hover:underline';

/** A deploy by its name, as the way to it. */
export function DeployLink({ deploy: { id, name } }: { deploy: Pick<CanisterDeploy, 'id' | 'name'> }) {
  return (
    <Link to={paths.deploy} params={{ id }} className={nameClass}>
      <bdi>{shown(name)}</bdi>
    </Link>
  );
}

interface Hosted {
  readonly deploy: CanisterDeploy;
  readonly className: string;
  readonly children: ReactNode;
}

/** Whether the repository of a deploy is kept by the git host that ships with the product, so that its pages are the console's. */
function isOwnHost(deploy: CanisterDeploy, isEmbedded: boolean | undefined): boolean {
  const { url, github_repo_owner: owner, repo_name: repo } = deploy;
  return isEmbedded === true && url === null && owner !== null && repo !== null;
}

function Away({ href, className, children }: { href: string; className: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={className}>
      {children}
    </a>
  );
}

/** The repository of a deploy as the way to its page; only its name where there is none. */
export function RepositoryLink({ deploy }: { deploy: CanisterDeploy }) {
  const config = usePublicConfig();
  const { host, name, page } = repositoryLinks(deploy, config);
  const text = <bdi>{host === undefined ? name : `${host}/${name}`}</bdi>;
  if (deploy.repository_deleted) return text;
  if (isOwnHost(deploy, config?.git_provider.embedded)) {
    return (
      <Link
        to="/$owner/$repo"
        params={{ owner: deploy.github_repo_owner ?? '', repo: deploy.repo_name ?? '' }}
        className={nameClass}
      >
        {text}
      </Link>
    );
  }
  return page === undefined ? (
    text
  ) : (
    <Away href={page} className={nameClass}>
      {text}
    </Away>
  );
}

/** What a commit has, where it is kept. */
function CommitPage({ commit, deploy, className, children }: Hosted & { commit: string }) {
  const config = usePublicConfig();
  if (isOwnHost(deploy, config?.git_provider.embedded)) {
    return (
      <Link
        to="/$owner/$repo/code/$commit/$"
        params={{
          owner: deploy.github_repo_owner ?? '',
          repo: deploy.repo_name ?? '',
          commit,
          _splat: '',
        }}
        className={className}
      >
        {children}
      </Link>
    );
  }
  const href = outsideCommit(deploy, config, commit);
  return href === undefined ? (
    children
  ) : (
    <Away href={href} className={className}>
      {children}
    </Away>
  );
}

/** 'run 7 of my-site, commit abc1234 of ada/my-site', each part a link to what is still there. */
function RunSource({ origin, deploy }: { origin: Origin; deploy: CanisterDeploy | null }) {
  const { run, source_id: deployId, run_id: runId } = origin;
  // A deploy that is gone has no page any more, and neither have its runs.
  const filler = deploy?.id === deployId ? deploy : null;
  const id = run?.id || runId;
  const text = run?.number == null ? 'a run' : `run ${run.number}`;
  return (
    <>
      {filler !== null && id ? (
        <Link to={paths.deployRun} params={{ id: filler.id, runId: id }} className={nameClass}>
          {text}
        </Link>
      ) : (
        text
      )}{' '}
      of {filler === null ? <bdi>{shown(origin.name)}</bdi> : <DeployLink deploy={filler} />}
      {run?.commit && (
        <>
          , commit <Commit commit={run.commit} deploy={run.in_repository ? filler : null} />
        </>
      )}
      {filler !== null && (
        <>
          {' '}
          of <RepositoryLink deploy={filler} />
        </>
      )}
    </>
  );
}

function Commit({ commit, deploy }: { commit: string; deploy: CanisterDeploy | null }) {
  const short = <span className="font-mono">{commit.slice(0, 7)}</span>;
  if (deploy === null) return short;
  return (
    <CommitPage commit={commit} deploy={deploy} className={nameClass}>
      {short}
    </CommitPage>
  );
}

/** Whoever has published a dapp: the username, which is unique, as the way to all that this user has published. */
function Publisher({ username }: { username: string | null }) {
  if (!username) return shown(username);
  return (
    <Link to={paths.marketplace} search={{ by: username }} className={nameClass}>
      <bdi>@{username}</bdi>
    </Link>
  );
}

interface CodeSourceProps {
  readonly origin: Origin;
  /** The deploy that fills the canister. */
  readonly deploy: CanisterDeploy | null;
  /** Whether the dapp has left the marketplace, so that it has no page any more. */
  readonly withdrawn?: boolean;
}

/** Where code came from, as a part of a sentence, each part a link; by what was written down when it was put in. */
export function CodeSource({ origin, deploy, withdrawn = false }: CodeSourceProps): ReactNode {
  const { kind, source_id: id, name, version } = origin;
  const text = <bdi>{shown(name)}</bdi>;
  switch (kind) {
    case 'dapp':
      return (
        <>
          {id === null || withdrawn ? (
            <span className="font-medium wrap-anywhere">{text}</span>
          ) : (
            <Link to={paths.dapp} params={{ id }} className={nameClass}>
              {text}
            </Link>
          )}{' '}
          <span className="tabular-nums">{shown(version)}</span> of <Publisher username={origin.publisher} />
        </>
      );
    case 'registry':
      return (
        <>
          the registry{' '}
          {id === null ? (
            text
          ) : (
            <Link to={paths.registries} search={{ entry: id }} className={nameClass}>
              {text}
            </Link>
          )}
          , version {shown(version)}
        </>
      );
    case 'run':
      return <RunSource origin={origin} deploy={deploy} />;
    case 'file':
      return 'a file by hand';
    case 'empty':
      return 'no code';
    default:
      return 'code of which nobody has said where it came from';
  }
}
