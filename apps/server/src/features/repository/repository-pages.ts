import { type DeployType, deployTypeOf, PAGE_TICKET } from '@cannery/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../../context.ts';
import type { GitUser } from '../../git/repository/git-host.ts';
import { userTenant } from '../../fairness/callers.ts';
import { isOwnerSegment } from '../../git/repository/names.ts';
import { branchesOf } from '../../git/repository/read-refs.ts';
import { blobOf, commitsOf, type TreeEntry, treeOf } from '../../git/repository/read-repository.ts';
import type { BareRepository } from '../../git/repository/repository-folder.ts';
import type { Html } from '../../identity/html.ts';
import { FILES_SHOWN, ownerPage, pageStyle, repositoryPage } from './page-views.ts';
import { usePageTicket } from './page-tickets.ts';

const STYLE_PATH = '/git/pages.css';
const SCRIPT_PATH = '/git/pages.js';
/** A used ticket leaves the address bar and the history. */
const pageScript = `const address = new URL(location.href);
address.searchParams.delete('${PAGE_TICKET}');
history.replaceState(null, '', address);
`;
const COMMITS_SHOWN = 10;
/** Files and folders of the first level among which the README is looked for. */
const TOP_READ = 2_000;
/** Bytes of a README that is shown. */
const README_LIMIT = 256 * 1024;

/**
 * Pages for people at /{owner}, /{owner}/{name} and /{owner}/{name}/tree/{branch}. They open for the owner only, with a
 * ticket that the console fetches: a browser that opens an address sends cookies, and no cookie holds a secret. For
 * everybody else, and for every other address, the console answers as if they were not there.
 */
export function addRepositoryPages(app: FastifyInstance, ctx: AppContext): void {
  for (const [path, type, text] of [
    [STYLE_PATH, 'text/css', pageStyle],
    [SCRIPT_PATH, 'text/javascript', pageScript],
  ] as const) {
    app.get(path, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=3600').type(`${type}; charset=utf-8`).send(text),
    );
  }
  app.addHook('onRequest', async (request, reply) => {
    const query = request.query as Readonly<Record<string, unknown>>;
    const ticket = query[PAGE_TICKET];
    const segments = segmentsOf(request);
    if (typeof ticket !== 'string' || !isOwnerSegment(segments[0] ?? '')) return undefined;
    const path = segments.join('/');
    const user = await ctx.transact((tx) => usePageTicket(tx, { ticket, path }));
    if (user === undefined) return undefined;
    const type = deployTypeOf(query['type']);
    const page = await ctx.callLimiter.handle(userTenant(user.id), () => pageFor(ctx, user, segments, type));
    return page === null ? undefined : sendPage(reply, page);
  });
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
      scriptPath: SCRIPT_PATH,
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
  const commit = commits[0]?.id;
  const files =
    commit === undefined ? [] : await treeOf(gitDir, commit, { recursive: true, most: FILES_SHOWN + 1 });
  const top = commit === undefined ? [] : await treeOf(gitDir, commit, { recursive: false, most: TOP_READ });
  const readme = await readmeOf(gitDir, top);
  return repositoryPage({
    repository,
    origin,
    branch,
    branches,
    commits,
    files,
    readme,
    stylePath: STYLE_PATH,
    scriptPath: SCRIPT_PATH,
  });
}

async function readmeOf(gitDir: string, files: readonly TreeEntry[]): Promise<string | null> {
  const file = files.find(({ path, kind }) => kind === 'file' && /^readme(?:\.(?:md|txt|rst))?$/i.test(path));
  if (file === undefined || file.size > README_LIMIT) return null;
  return (await blobOf(gitDir, file.objectId, README_LIMIT)).toString('utf8');
}
