import { type DeployType, deployTypeOf } from '@cannery/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../../context.ts';
import type { GitUser } from '../../git/git-host.ts';
import { CONNECT_PATH } from '../../git/names.ts';
import { isOwnerSegment, ownerOf } from '../../git/owner.ts';
import { blobOf, branchesOf, commitsOf, type TreeEntry, treeOf } from '../../git/read-repository.ts';
import type { BareRepository } from '../../git/repository-folder.ts';
import type { Html } from './html.ts';
import { pageStyle } from './page-style.ts';
import { ownerPage, repositoryPage } from './page-views.ts';

/** The user of a session's token; undefined when it is not valid. */
export type FindUser = (token: string) => Promise<GitUser | undefined>;

const STYLE_PATH = '/git/pages.css';
const COMMITS_SHOWN = 10;
/** Bytes of a README that is shown. */
const README_LIMIT = 256 * 1024;

/**
 * Pages for people at /{owner}, /{owner}/{name} and /{owner}/{name}/tree/{branch}. They exist for the owner only; for
 * everybody else, and for every other address, the console answers as if they were not there.
 */
export function addRepositoryPages(app: FastifyInstance, ctx: AppContext, findUser: FindUser): void {
  app.get(STYLE_PATH, (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type('text/css; charset=utf-8').send(pageStyle),
  );
  const visitorOf = async (request: FastifyRequest): Promise<GitUser | undefined> => {
    const { token } = request.cookies;
    return token === undefined ? undefined : findUser(token);
  };
  app.get(CONNECT_PATH, async (request, reply) => {
    const user = await visitorOf(request);
    // The console leads whoever is not signed in to its sign-in page.
    const path = user === undefined ? '/ics/deploy' : `/${encodeURIComponent(ownerOf(user))}`;
    const type = wantedType(request.query);
    return reply
      .header('cache-control', 'no-store')
      .redirect(type === undefined ? path : `${path}?type=${type}`);
  });
  app.addHook('onRequest', async (request, reply) => {
    const segments = segmentsOf(request);
    const [owner] = segments;
    if (owner === undefined || !isOwnerSegment(owner)) return undefined;
    const user = await visitorOf(request);
    if (user === undefined || ownerOf(user).toLowerCase() !== owner.toLowerCase()) return undefined;
    const page = await pageFor(ctx, user, segments, deployTypeOf((request.query as { type?: unknown }).type));
    return page === null ? undefined : sendPage(reply, page);
  });
}

/** The deploy type in the `state` that the console hands over, when there is one. */
function wantedType(query: unknown): DeployType | undefined {
  const { state } = query as { state?: unknown };
  if (typeof state !== 'string') return undefined;
  try {
    const { deploy_type: type } = JSON.parse(state) as { deploy_type?: unknown };
    return deployTypeOf(type);
  } catch {
    return undefined;
  }
}

/** Segments of an address that a browser opens as a page, decoded; none for anything else. */
function segmentsOf(request: FastifyRequest): string[] {
  if (request.method !== 'GET' || !(request.headers.accept ?? '').includes('text/html')) return [];
  const path = request.url.split('?', 1)[0] ?? '';
  try {
    return path
      .split('/')
      .slice(1)
      .map((segment) => decodeURIComponent(segment))
      .filter((segment, index, all) => segment !== '' || index < all.length - 1);
  } catch {
    return [];
  }
}

function sendPage(reply: FastifyReply, page: Html): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>\n${page.text}`);
}

async function pageFor(
  ctx: AppContext,
  user: GitUser,
  segments: readonly string[],
  deployType: DeployType,
): Promise<Html | null> {
  const [owner = '', name, tree, ...branch] = segments;
  const origin = ctx.addresses.publicUrl;
  if (name === undefined) {
    const repositories = await ctx.git.listRepositories(user);
    return ownerPage({
      owner,
      username: user.username,
      origin,
      deployType,
      repositories,
      stylePath: STYLE_PATH,
    });
  }
  if (tree !== undefined && (tree !== 'tree' || branch.length === 0)) return null;
  const repository = await ctx.git.readable(owner, name.replace(/\.git$/, ''), user);
  if (repository === null) return null;
  return viewOf(repository, origin, tree === undefined ? undefined : branch.join('/'));
}

async function viewOf(
  repository: BareRepository,
  origin: string,
  wanted: string | undefined,
): Promise<Html | null> {
  const { gitDir } = repository;
  const branches = await branchesOf(gitDir);
  const branch = wanted ?? branches[0];
  if (branch !== undefined && !branches.includes(branch)) return null;
  const commits = branch === undefined ? [] : await commitsOf(gitDir, branch, COMMITS_SHOWN);
  const files = commits[0] === undefined ? [] : await treeOf(gitDir, commits[0].id, 'all');
  const readme = await readmeOf(gitDir, files);
  return repositoryPage({
    repository,
    origin,
    branch,
    branches,
    commits,
    files,
    readme,
    stylePath: STYLE_PATH,
  });
}

async function readmeOf(gitDir: string, files: readonly TreeEntry[]): Promise<string | null> {
  const file = files.find(({ path, kind }) => kind === 'file' && /^readme(?:\.(?:md|txt|rst))?$/i.test(path));
  if (file === undefined || file.size > README_LIMIT) return null;
  return (await blobOf(gitDir, file.objectId, README_LIMIT)).toString('utf8');
}
