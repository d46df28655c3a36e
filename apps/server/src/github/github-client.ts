import type { GitHubConfig } from '../config/config.ts';
import { AppError } from '../errors.ts';
import { FairSemaphore } from '../fairness/fair-semaphore.ts';
import { RecentLists } from '../git/repository/recent-lists.ts';
import * as answers from './answers.ts';
import type { GitHubRepository } from './answers.ts';
import { createBoundedFetch } from './bounded-fetch.ts';
import { causeOf, explainGitHubError, InstallationGoneError, refusalOf } from './explain-github-error.ts';
import { loadPrivateKey } from './private-key.ts';

/** An installation of the app as one person sees it. */
interface VisibleInstallation {
  readonly id: number;
  readonly account: { readonly id: number; readonly login: string };
  /** The repositories that the person may read; null for all, in the person's own account. */
  readonly repositoryIds: readonly number[] | null;
}

/** A person at GitHub, and the installations of the app that the person may use. */
export interface GitHubVisitor {
  readonly id: number;
  readonly login: string;
  readonly installations: readonly VisibleInstallation[];
}

/** One repository that is opened for a few calls, by a token that is good for nothing else. */
export interface OpenRepository {
  readonly repository: GitHubRepository;
  /** Valid for at most an hour. */
  readonly token: string;
  /** Names of its branches, as far as they are listed, in GitHub's order. */
  branches(): Promise<string[]>;
  /** What a person may do: admin, write, read or none. */
  permissionOf(person: { id: number; login: string }): Promise<string>;
  setStatus(status: CommitStatus): Promise<void>;
}

/** Contents are read to build them; statuses are written to tell how that went. */
export type Purpose = 'read' | 'report';

export interface CommitStatus {
  readonly sha: string;
  readonly state: 'pending' | 'success' | 'failure';
  readonly context: string;
  readonly description: string;
  readonly address: string;
}

/** GitHub, through the operator's GitHub App. Every method throws AppError git_host_unavailable and rate_limited. */
export interface GitHub {
  /** Address of its pages, without slash at its end. */
  readonly url: string;
  /** Whose turn it is to call GitHub. */
  readonly turns: FairSemaphore;
  /** Where a person installs the app, or changes which repositories it may read. */
  installAddress(state: string): string;
  /** Where a person lets this console see which installations there are already. */
  authorizeAddress(state: string): string;
  /**
   * The person that a code of GitHub belongs to. The person's token is used for this and given back.
   * @throws AppError git_connection_failed for a code that GitHub does not accept
   */
  visitorOf(code: string): Promise<GitHubVisitor>;
  /** All repositories of an installation, as they were within the last 30 s. @throws InstallationGoneError */
  repositories(installationId: number): Promise<GitHubRepository[]>;
  /**
   * Opens one repository of an installation.
   * @param wanted its name, and its id once that is known: what has the name by now must have it, too
   * @throws InstallationGoneError, AppError repository_not_found
   */
  open(
    installationId: number,
    wanted: { owner: string; name: string; id?: number | undefined },
    purpose: Purpose,
  ): Promise<OpenRepository>;
}

const PER_PAGE = 100;
/** Pages of one list that are asked for; what is beyond is left out. */
const MOST_PAGES = 50;

/**
 * How long a list of repositories is given out again, in milliseconds. The console asks every 5 s; GitHub takes 5,000 calls an
 * hour for each installation, and a list of 4,000 repositories is 41 of them.
 */
const LIST_MS = 30_000;

/** One tenant's calls leave connections to the others. */
const TURNS = { most: 8, perTenant: 2, waitingPerTenant: 30, what: 'calls to GitHub' };

const PERMISSIONS = {
  read: { contents: 'read', metadata: 'read' },
  report: { statuses: 'write', metadata: 'read' },
} as const;

/** @throws StartError when the key of the app cannot be used */
export async function createGitHub(config: GitHubConfig, caFile: string | undefined): Promise<GitHub> {
  const { App, Octokit } = await import('octokit');
  const { url, apiUrl, clientId, clientSecret } = config;
  // GitHub Enterprise Server has its API below its own name, and its apps below another path.
  const apps = apiUrl === `${url}/api/v3` ? 'github-apps' : 'apps';
  const fetch = await createBoundedFetch({
    origins: [new URL(url).origin, new URL(apiUrl).origin],
    caFile,
  });
  const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  // Whoever waits for an answer is told at once and decides; nothing is tried again behind its back.
  const Client = Octokit.defaults({
    baseUrl: apiUrl,
    userAgent: 'cannery',
    request: { fetch },
    retry: { enabled: false },
    throttle: { enabled: false },
    log: quiet,
  });
  const app = new App({
    appId: config.appId,
    privateKey: await loadPrivateKey(config.privateKeyFile),
    oauth: { clientId, clientSecret },
    Octokit: Client,
    log: quiet,
  });

  const lists = new RecentLists<GitHubRepository[]>(undefined, LIST_MS);

  type ClientOf = InstanceType<typeof Client>;

  /** All pages of a list. */
  async function all(
    client: ClientOf,
    call: string,
    parameters: Readonly<Record<string, string | number>> = {},
  ): Promise<unknown[]> {
    const found: unknown[] = [];
    let pages = 0;
    for await (const { data } of client.paginate.iterator(call, { ...parameters, per_page: PER_PAGE })) {
      found.push(...(data as unknown[]));
      pages += 1;
      if (pages === MOST_PAGES) break;
    }
    return found;
  }

  /** A client with a token of an installation, for the named repositories only. */
  async function installed(
    installationId: number,
    limits: { repositories?: string[]; repository_ids?: number[]; permissions: Record<string, string> },
  ): Promise<{ client: ClientOf; token: string }> {
    try {
      const { data } = await app.octokit.request('POST /app/installations/{installation_id}/access_tokens', {
        installation_id: installationId,
        ...limits,
      });
      const { token } = answers.accessToken.parse(data);
      return { client: new Client({ auth: token }), token };
    } catch (error) {
      const refusal = refusalOf(error);
      const isGone =
        refusal?.status === 404 || (refusal?.status === 403 && /suspended/i.test(refusal.message));
      if (refusal === undefined || !isGone) throw error;
      throw new InstallationGoneError('The installation is gone.', { cause: causeOf(refusal) });
    }
  }

  async function explained<T>(what: string, work: () => Promise<T>): Promise<T> {
    return work().catch((error: unknown) => {
      throw explainGitHubError(error, what);
    });
  }

  /** The token of the person that a code belongs to. */
  async function tokenOf(code: string): Promise<string> {
    const { data } = await app.octokit.request(`POST ${url}/login/oauth/access_token`, {
      client_id: clientId,
      client_secret: clientSecret,
      code,
      headers: { accept: 'application/json' },
    });
    const answered = answers.userToken.safeParse(data);
    if (answered.success) return answered.data.access_token;
    throw new AppError(
      'git_connection_failed',
      'GitHub does not accept the answer that your browser brought.',
    );
  }

  async function visible(client: ClientOf, personId: number): Promise<VisibleInstallation[]> {
    const found: VisibleInstallation[] = [];
    for (const data of await all(client, 'GET /user/installations')) {
      const { id, account, suspended_at: suspended } = answers.installation.parse(data);
      if (account === null || suspended) continue;
      const isOwn = account.id === personId;
      const path = 'GET /user/installations/{installation_id}/repositories';
      const readable = isOwn ? null : await all(client, path, { installation_id: id });
      const repositoryIds = readable?.map((one) => answers.repository.parse(one).id) ?? null;
      found.push({ id, account: { id: account.id, login: account.login }, repositoryIds });
    }
    return found;
  }

  const repositoriesOf = (installationId: number): Promise<GitHubRepository[]> =>
    explained('the repositories', async () => {
      const { client } = await installed(installationId, { permissions: { metadata: 'read' } });
      const found = await all(client, 'GET /installation/repositories');
      return found.map((one) => answers.repository.parse(one));
    });

  return {
    url,
    turns: new FairSemaphore(TURNS),
    installAddress: (state) =>
      `${url}/${apps}/${config.slug}/installations/new?${new URLSearchParams({ state })}`,
    authorizeAddress: (state) =>
      `${url}/login/oauth/authorize?${new URLSearchParams({ client_id: clientId, state })}`,

    visitorOf: (code) =>
      explained('the account', async () => {
        const token = await tokenOf(code);
        const client = new Client({ auth: token });
        try {
          const { data } = await client.request('GET /user');
          const person = answers.person.parse(data);
          const installations = await visible(client, person.id);
          // Whoever comes from GitHub may have chosen other repositories there.
          for (const { id } of installations) lists.forget(String(id));
          return { ...person, installations };
        } finally {
          await app.octokit
            .request('DELETE /applications/{client_id}/token', { client_id: clientId, access_token: token })
            // It ends by itself after eight hours, and nobody has it.
            .catch(() => undefined);
        }
      }),

    repositories: (installationId) => lists.of(String(installationId), () => repositoriesOf(installationId)),

    open: (installationId, { owner, name, id }, purpose) =>
      explained(`${owner}/${name}`, async () => {
        const one = id === undefined ? { repositories: [name] } : { repository_ids: [id] };
        const { client, token } = await installed(installationId, {
          ...one,
          permissions: PERMISSIONS[purpose],
        });
        const { data } = await client.request('GET /repos/{owner}/{repo}', { owner, repo: name });
        const repository = answers.repository.parse(data);
        // Everybody can read a public one, which may have got the name since the wanted one has another.
        if (id !== undefined && repository.id !== id) {
          throw new AppError(
            'repository_not_found',
            `${owner}/${name} is another repository at GitHub by now: the one of this deploy was moved, renamed or deleted. Create a deploy with its new name.`,
          );
        }
        const what = `${owner}/${name}`;
        const place = { owner, repo: name };
        return {
          repository,
          token,
          branches: () =>
            explained(what, async () => {
              const found = await all(client, 'GET /repos/{owner}/{repo}/branches', place);
              return found.map((branch) => answers.branch.parse(branch).name);
            }),
          permissionOf: (person) =>
            explained(what, async () => {
              const path = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission';
              const { data: answer } = await client.request(path, { ...place, username: person.login });
              const { permission, user } = answers.permission.parse(answer);
              // A name that its owner gave up may be somebody else's now.
              return user?.id === person.id ? permission : 'none';
            }),
          setStatus: ({ sha, state, context, description, address }) =>
            explained(what, async () => {
              const status = { sha, state, context, description, target_url: address };
              await client.request('POST /repos/{owner}/{repo}/statuses/{sha}', { ...place, ...status });
            }),
        };
      }),
  };
}
