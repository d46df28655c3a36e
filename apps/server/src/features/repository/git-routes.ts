import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../../context.ts';
import type { GitUser } from '../../git/git-host.ts';
import { type GitService, gitServiceOf, isPush, runHttpBackend } from '../../git/http-backend.ts';
import { isRepositoryName } from '../../git/names.ts';
import { ownerOf } from '../../git/owner.ts';
import { createRepository, PUSH_LIMIT } from '../../git/repository-folder.ts';
import { addRepositoryPages, type FindUser } from './repository-pages.ts';
import { noteUse, userOfToken } from './token-store.ts';

interface RepositoryParams {
  owner: string;
  repo: string;
}

/** The password of HTTP Basic authentication; any username goes with an access token. */
function passwordOf(request: FastifyRequest): string | null {
  const encoded = /^Basic ([A-Za-z0-9+/=]{1,2000})$/i.exec(request.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  return text.slice(text.indexOf(':') + 1);
}

function plain(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send(`${text}\n`);
}

/** Addresses of the git host: smart HTTP for git itself and pages for people. */
export async function addGitRoutes(app: FastifyInstance, ctx: AppContext, findUser: FindUser): Promise<void> {
  await app.register(async (scope) => {
    // Packs are streamed to git as they come; nothing may parse or buffer them.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { bodyLimit: PUSH_LIMIT }, (_request, payload, done) =>
      done(null, payload),
    );
    scope.route<{ Params: RepositoryParams; Querystring: { service?: string } }>({
      method: 'GET',
      url: '/:owner/:repo/info/refs',
      handler: (request, reply) =>
        serve(ctx, request, reply, gitServiceOf('GET', 'info/refs', request.query.service)),
    });
    for (const path of ['git-upload-pack', 'git-receive-pack'] as const) {
      scope.route<{ Params: RepositoryParams }>({
        method: 'POST',
        url: `/:owner/:repo/${path}`,
        bodyLimit: PUSH_LIMIT,
        handler: (request, reply) => serve(ctx, request, reply, gitServiceOf('POST', path, undefined)),
      });
    }
  });
  addRepositoryPages(app, ctx, findUser);
}

async function serve(
  ctx: AppContext,
  request: FastifyRequest<{ Params: RepositoryParams }>,
  reply: FastifyReply,
  service: GitService | null,
): Promise<FastifyReply> {
  const { owner, repo } = request.params;
  if (service === null || !repo.endsWith('.git')) return plain(reply, 404, 'Repository not found.');
  const password = passwordOf(request);
  const user = password === null ? null : await userOfToken(ctx.db, password);
  if (password === null || user === null) {
    reply.header('www-authenticate', 'Basic realm="Cannery", charset="UTF-8"');
    const hint = `Give an access token as password; make one at ${ctx.addresses.publicUrl}/ics/deploy.`;
    return plain(reply, 401, password === null ? hint : `This access token is not valid. ${hint}`);
  }
  const repository = await repositoryFor(ctx, user, owner, repo.slice(0, -'.git'.length), service);
  if (repository === null) {
    const own = `Your repositories are at ${ctx.addresses.publicUrl}/${ownerOf(user)}/{name}.git.`;
    return plain(reply, 404, `Repository not found. ${own}`);
  }
  await ctx.transact((tx) => noteUse(tx, password));
  const answer = await runHttpBackend({
    root: ctx.git.root,
    repository,
    service,
    username: user.username,
    headers: request.headers,
    body: service.service === undefined ? (request.body as Readable) : null,
  });
  for (const [name, value] of answer.headers) reply.header(name, value);
  return reply.code(answer.status).send(answer.body);
}

/** A push by its owner creates the repository; everybody else's repositories are as good as absent. */
async function repositoryFor(
  ctx: AppContext,
  user: GitUser,
  owner: string,
  name: string,
  service: GitService,
): ReturnType<AppContext['git']['readable']> {
  const existing = await ctx.git.readable(owner, name, user);
  const isOwn = owner.toLowerCase() === ownerOf(user).toLowerCase();
  if (existing !== null || !isOwn || !isPush(service) || !isRepositoryName(name)) return existing;
  return createRepository(ctx.git.root, ownerOf(user), name);
}
