import {
  describeAccount,
  describeInstallation,
  describeRepository,
  type PretendRepository,
  type PretendToken,
  type PretendWorld,
} from './pretend-world.ts';
import { described } from './description.ts';

/** A call that has come. */
export interface Came {
  readonly world: PretendWorld;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** 'app' for a valid token that the app has signed, 'client' for its client id and secret. */
  readonly sender: PretendToken | 'app' | 'client' | undefined;
}

export interface Given {
  readonly status: number;
  readonly body?: unknown;
  /** The list in the body that comes in pages, when it is not the body itself. */
  readonly paged?: string;
}

function refusal(status: number, message: string): Given {
  return { status, body: { message, documentation_url: 'https://docs.github.example' } };
}

const notFound = (): Given => refusal(404, 'Not Found');

/** The token of an installation that sends. */
function installed({ sender }: Came): PretendToken | undefined {
  return typeof sender === 'object' && sender.kind === 'installation' ? sender : undefined;
}

/** What every token may do with a repository that everybody can read. */
const OF_EVERYBODY = new Set(['metadata', 'contents']);

/** The repository that a call names, when its token reaches it. */
function reached(came: Came, permission: string): PretendRepository | undefined {
  const { owner, repo } = came.parameters;
  const found = came.world.repositories.find((one) => one.owner.login === owner && one.name === repo);
  if (found === undefined || came.world.reaches(installed(came), found, permission)) return found;
  const isOpen = !found.private && OF_EVERYBODY.has(permission);
  return isOpen && installed(came) !== undefined ? found : undefined;
}

function createToken(came: Came): Given {
  const { world, body, parameters } = came;
  if (came.sender !== 'app') return refusal(401, 'A JSON web token could not be decoded');
  const installation = world.installations.find(({ id }) => id === Number(parameters['installation_id']));
  if (installation === undefined) return notFound();
  if (installation.suspended) return refusal(403, 'This installation has been suspended');
  const own = world.repositories.filter((one) => one.owner === installation.account);
  const ids = body['repository_ids'] as number[] | undefined;
  const names = body['repositories'] as string[] | undefined;
  const chosen = own.filter((one) => ids?.includes(one.id) === true || names?.includes(one.name) === true);
  const isLimited = ids !== undefined || names !== undefined;
  if (isLimited && chosen.length === 0)
    return refusal(422, 'There is at least one repository that does not exist or is not accessible');
  const permissions = (body['permissions'] ?? { contents: 'write', metadata: 'read' }) as Record<
    string,
    string
  >;
  const repositoryIds = isLimited ? chosen.map(({ id }) => id) : undefined;
  const token = world.issue({
    kind: 'installation',
    installationId: installation.id,
    repositoryIds,
    permissions,
  });
  return {
    status: 201,
    body: {
      token: token.token,
      expires_at: new Date(token.expiresAt).toISOString(),
      permissions,
      repository_selection: isLimited ? 'selected' : 'all',
      ...(isLimited && { repositories: chosen.map((one) => describeRepository(one)) }),
    },
  };
}

/** The person whose token sends. */
function personOf({ sender }: Came) {
  return typeof sender === 'object' && sender.kind === 'user' ? sender.person : undefined;
}

/** By method and path of the description. */
export const pretendCalls: Readonly<Record<string, (came: Came) => Given>> = {
  'POST /app/installations/{installation_id}/access_tokens': createToken,
  'DELETE /applications/{client_id}/token': ({ world, sender, body }) => {
    const token = world.tokens.find((one) => one.token === body['access_token']);
    if (sender !== 'client' || token === undefined) return refusal(422, 'Validation Failed');
    token.revoked = true;
    return { status: 204 };
  },
  'GET /user': (came) => {
    const person = personOf(came);
    return person === undefined
      ? refusal(401, 'Requires authentication')
      : { status: 200, body: described('public-user', describeAccount(person)) };
  },
  'GET /user/installations': (came) => {
    const person = personOf(came);
    if (person === undefined) return refusal(401, 'Requires authentication');
    const installations = came.world.visible(person).map(describeInstallation);
    const body = { total_count: installations.length, installations };
    return { status: 200, body, paged: 'installations' };
  },
  'GET /user/installations/{installation_id}/repositories': (came) => {
    const person = personOf(came);
    const id = Number(came.parameters['installation_id']);
    const installation = person && came.world.visible(person).find((one) => one.id === id);
    if (person === undefined || installation === undefined) return notFound();
    const repositories = came.world.explicitly(person, installation).map((one) => describeRepository(one));
    return { status: 200, body: { total_count: repositories.length, repositories }, paged: 'repositories' };
  },
  'GET /installation/repositories': (came) => {
    const token = installed(came);
    if (token === undefined) return refusal(401, 'Requires authentication');
    const repositories = came.world.repositories
      .filter((one) => came.world.reaches(token, one, 'metadata'))
      .map((one) => describeRepository(one));
    return { status: 200, body: { total_count: repositories.length, repositories }, paged: 'repositories' };
  },
  'GET /repos/{owner}/{repo}': (came) => {
    const found = reached(came, 'metadata');
    return found === undefined
      ? notFound()
      : { status: 200, body: describeRepository(found, 'full-repository') };
  },
  'GET /repos/{owner}/{repo}/branches': (came) => {
    const found = reached(came, 'contents');
    if (found === undefined) return notFound();
    return {
      status: 200,
      body: found.branches.toSorted().map((name) => described('short-branch', { name })),
    };
  },
  'GET /repos/{owner}/{repo}/collaborators/{username}/permission': (came) => {
    const found = reached(came, 'metadata');
    const person = came.world.accounts.find((one) => one.login === came.parameters['username']);
    if (found === undefined || person === undefined) return notFound();
    const permission = came.world.rightOf(person, found);
    const user = described('nullable-collaborator', describeAccount(person));
    const body = described('repository-collaborator-permission', { permission, role_name: permission, user });
    return { status: 200, body };
  },
  'POST /repos/{owner}/{repo}/statuses/{sha}': (came) => {
    const found = reached(came, 'statuses');
    if (found === undefined) return notFound();
    const status = {
      repository: `${found.owner.login}/${found.name}`,
      sha: came.parameters['sha'] ?? '',
      state: String(came.body['state']),
      context: String(came.body['context']),
      description: String(came.body['description']),
      target_url: String(came.body['target_url']),
    };
    came.world.statuses.push(status);
    return { status: 201, body: described('status', status) };
  },
};
