import { readRepositoryAddress, type Repository } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import { userTenant } from '../../fairness/callers.ts';
import { isBranchName } from '../../git/repository/names.ts';
import { InstallationGoneError } from '../../github/explain-github-error.ts';
import type { GitHub, OpenRepository, Purpose } from '../../github/github-client.ts';
import { endInstallation, type InstallationRow, installationsOf } from './connection-store.ts';

/** A repository at GitHub as a call or a deploy names it. */
export interface GitHubName {
  readonly owner: string;
  readonly name: string;
  /** Once it is known; it stays the same when the repository is renamed. */
  readonly id?: number | undefined;
}

/** What somebody must be able to do at GitHub for what is done in their name. */
const ENOUGH: Readonly<Record<Purpose, readonly string[]>> = {
  read: ['read', 'write', 'admin'],
  report: ['write', 'admin'],
};

function requireGitHub(ctx: AppContext): GitHub {
  if (ctx.github !== undefined) return ctx.github;
  throw new AppError(
    'repository_not_found',
    'The repository is at GitHub, and this console has no GitHub App any more. Ask its operator.',
  );
}

/** Works with an installation when it is the user's turn; one that is gone ends for all users. @throws AppError repository_not_found then */
async function within<T>(
  ctx: AppContext,
  user: Pick<Actor, 'id'>,
  row: InstallationRow,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await requireGitHub(ctx).turns.take(userTenant(user.id), work);
  } catch (error) {
    if (!(error instanceof InstallationGoneError)) throw error;
    await ctx.transact((tx) => endInstallation(tx, row.installation_id));
    throw new AppError(
      'repository_not_found',
      `The GitHub App is no longer installed in ${row.account_login}, or it is suspended there. Press 'Configure account' on the page of a new deploy.`,
      { cause: error },
    );
  }
}

/**
 * Opens a repository of an account that the user has connected. In an account of others the user must have the right at
 * GitHub now, not only when it was connected.
 * @throws AppError repository_not_found, git_host_unavailable, rate_limited
 */
export async function openGitHubRepository(
  ctx: AppContext,
  user: Pick<Actor, 'id'>,
  named: GitHubName,
  purpose: Purpose = 'read',
): Promise<OpenRepository> {
  const github = requireGitHub(ctx);
  const rows = await installationsOf(ctx.db, user.id);
  const row = rows.find((one) => one.account_login.toLowerCase() === named.owner.toLowerCase());
  if (row === undefined) {
    throw new AppError(
      'repository_not_found',
      `No account that you have connected at GitHub has ${named.owner}/${named.name}. Press 'Configure account' on the page of a new deploy.`,
    );
  }
  return within(ctx, user, row, async () => {
    const opened = await github.open(row.installation_id, named, purpose);
    if (row.repository_ids === null) return opened;
    const right = await opened.permissionOf({ id: row.github_user_id, login: row.github_login });
    if (ENOUGH[purpose].includes(right)) return opened;
    throw new AppError(
      'repository_not_found',
      `${row.github_login} may not read ${named.owner}/${named.name} at GitHub, or there is no such repository.`,
    );
  });
}

/** The repositories of all accounts that a user has connected, newest push first. */
export async function listGitHubRepositories(ctx: AppContext, user: Actor): Promise<Repository[]> {
  const github = requireGitHub(ctx);
  const found: { repository: Repository; pushed: string }[] = [];
  for (const row of await installationsOf(ctx.db, user.id)) {
    const readable = row.repository_ids === null ? undefined : new Set(row.repository_ids);
    const all = await within(ctx, user, row, () => github.repositories(row.installation_id)).catch(
      (error: unknown) => {
        if (error instanceof AppError && error.code === 'repository_not_found') return [];
        throw error;
      },
    );
    for (const one of all) {
      if (readable?.has(one.id) === false) continue;
      const { login } = one.owner;
      const url = `${github.url}/${login}/${one.name}`;
      if ('fault' in readRepositoryAddress(url)) continue;
      found.push({
        repository: {
          name: one.name,
          private: one.private,
          owner: { login },
          url,
          default_branch: one.default_branch ?? null,
        },
        pushed: one.pushed_at ?? '',
      });
    }
  }
  found.sort((a, b) => (a.pushed === b.pushed ? 0 : a.pushed < b.pushed ? 1 : -1));
  return found.map(({ repository }) => repository);
}

/** Branches of a repository, its default branch first. */
export async function gitHubBranches(ctx: AppContext, user: Actor, named: GitHubName): Promise<string[]> {
  const opened = await openGitHubRepository(ctx, user, named);
  const { turns } = requireGitHub(ctx);
  const head = opened.repository.default_branch;
  const names = (await turns.take(userTenant(user.id), () => opened.branches())).filter(isBranchName);
  return names.includes(head ?? '') ? [head ?? '', ...names.filter((name) => name !== head)] : names;
}

/** Brings the newest commit of a branch into a new bare repository. */
export async function fetchFromGitHub(
  ctx: AppContext,
  user: Actor,
  named: GitHubName,
  to: { branch: string; gitDir: string; signal: AbortSignal },
): Promise<void> {
  const { token } = await openGitHubRepository(ctx, user, named);
  const address = readRepositoryAddress(`${requireGitHub(ctx).url}/${named.owner}/${named.name}`);
  if ('fault' in address) throw notFound('Repository');
  const credential = { username: 'x-access-token', password: token };
  await ctx.outsideGit.fetch(address, to.branch, to.gitDir, to.signal, credential);
}
