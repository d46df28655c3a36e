import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GitLimits } from '../../config/config.ts';
import type { AppContext } from '../../context.ts';
import { AppError, errorAnswer } from '../../errors.ts';
import { FairSemaphore } from '../../fairness/fair-semaphore.ts';
import { atOnce } from '../../fairness/call-limiter.ts';
import type { Rate } from '../../fairness/rates.ts';
import type { GitUser } from '../../git/repository/git-host.ts';
import { GitUnansweredError } from '../../git/host/git-that-answers.ts';
import { type GitService, gitServiceOf, isPush, runHttpBackend } from '../../git/host/http-backend.ts';
import { isRepositoryName, ownerOf } from '../../git/repository/names.ts';
import { callerGone } from '../../http/limits/sender.ts';
import { namesOfPush, type PushWatcher } from '../../git/host/push.ts';
import { type PushCommands, readCommands, refusalOf } from '../../git/host/push-commands.ts';
import type { PushQuota, PushTurn } from '../../git/host/push-quota.ts';
import { type BareRepository, PUSH_LIMIT } from '../../git/repository/repository-folder.ts';
import { noteRefusal } from '../../http/note-refusal.ts';
import { toAppError } from '../../http/handle-errors.ts';
import { CHALLENGE, type HostedContext, tokenHint } from './git-caller.ts';
import { noteUseOf } from './token-store.ts';
import { gitPushes, ratesRefused } from '../../metrics/instruments.ts';

/** What tenants share of the git host. */
interface GitShares {
  readonly watcher: PushWatcher;
  readonly transfers: FairSemaphore;
  /** Requests of pushes, by tenant. */
  readonly pushes: Rate;
  readonly quota: PushQuota;
}

/** Clones, fetches and pushes under way: each is two or three processes and as much of a core as it gets. */
const TRANSFERS = { most: 16, perTenant: 4, waitingPerTenant: 16, what: 'clones and pushes' };
export const REQUESTS_PER_PUSH = 2;
const PUSH_RESULT = 'application/x-git-receive-pack-result';
/** What git is answered while its repository, or the server that has it, is busy or away. */
const BUSY = 503;
/** How long a push may take to come, in milliseconds; a slow client is dropped earlier. */
export const PUSH_MS = 30 * 60_000;
/** Bytes of what a fetch asks for: names of objects, compressed by git. */
const FETCH_LIMIT = 16 * 1024 * 1024;

interface RepositoryParams {
  owner: string;
  repo: string;
}

/** Answers a request of git's smart HTTP; null for one of a service that there is not. */
type ServeGit = (
  request: FastifyRequest<{ Params: RepositoryParams }>,
  reply: FastifyReply,
  service: GitService | null,
) => Promise<FastifyReply>;

function plain(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send(`${text}\n`);
}

/** Addresses of the git host: smart HTTP for git itself. */
export async function addGitRoutes(
  app: FastifyInstance,
  ctx: HostedContext,
  watcher: PushWatcher,
): Promise<void> {
  const shares: GitShares = {
    watcher,
    transfers: new FairSemaphore(TRANSFERS),
    quota: ctx.git.quota,
    pushes: ctx.callLimiter.rates.open('pushes', {
      perSecond: (ctx.git.limits.pushesPerMinute * REQUESTS_PER_PUSH) / 60,
      burst: ctx.git.limits.pushesPerMinute * REQUESTS_PER_PUSH,
    }),
  };
  await addGitAddresses(app, ctx, (request, reply, service) => serve(ctx, shares, request, reply, service));
}

/** The addresses of git's smart HTTP, whoever answers there. */
export async function addGitAddresses(
  app: FastifyInstance,
  { log, security }: Pick<AppContext, 'log' | 'security'>,
  serveGit: ServeGit,
): Promise<void> {
  await app.register(async (scope) => {
    const refused = noteRefusal(security);
    // Git shows text of a refusal, not JSON.
    scope.setErrorHandler((error, request, reply) => {
      const known = toAppError(error);
      if (known === undefined) {
        log.error({ err: error, path: request.params }, 'A call of git failed unexpectedly');
        return plain(reply, 500, 'Something went wrong on the server.');
      }
      refused(request, known);
      if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds);
      // Git and its users take a status of 4xx for a fault of theirs.
      const status = known.code === 'repository_busy' ? BUSY : errorAnswer(known).status;
      return plain(reply, status, sentenceOf(known));
    });
    // Packs are streamed to git as they come; nothing may parse or buffer them.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { bodyLimit: PUSH_LIMIT }, (_request, payload, done) =>
      done(null, payload),
    );
    scope.route<{ Params: RepositoryParams; Querystring: { service?: string } }>({
      method: 'GET',
      url: '/:owner/:repo/info/refs',
      handler: (request, reply) =>
        serveGit(request, reply, gitServiceOf('GET', 'info/refs', request.query.service)),
    });
    for (const path of ['git-upload-pack', 'git-receive-pack'] as const) {
      scope.route<{ Params: RepositoryParams }>({
        method: 'POST',
        url: `/:owner/:repo/${path}`,
        bodyLimit: PUSH_LIMIT,
        config: { bodyMs: PUSH_MS },
        handler: (request, reply) => serveGit(request, reply, gitServiceOf('POST', path, undefined)),
      });
    }
  });
}

async function serve(
  ctx: HostedContext,
  { transfers, pushes, watcher, quota }: GitShares,
  request: FastifyRequest<{ Params: RepositoryParams }>,
  reply: FastifyReply,
  service: GitService | null,
): Promise<FastifyReply> {
  const { owner, repo } = request.params;
  if (service === null || !repo.endsWith('.git')) return plain(reply, 404, 'Repository not found.');
  const caller = await ctx.findCaller(request);
  if (typeof caller === 'string') return askForToken(ctx, reply, caller);
  const { user, tenant, credential } = caller;
  if (isPush(service)) await countPush(pushes, tenant, ctx.git.limits);
  const gone = callerGone(reply);
  // Whoever waits for a push of the same user takes no place from anybody else.
  const turn = isPush(service) && service.service === undefined ? await quota.enter(tenant, gone) : null;
  const leaveTransfers = await transfers.enter(tenant, gone).catch((error: unknown) => {
    turn?.end();
    throw error;
  });
  const leave = (): void => {
    leaveTransfers();
    turn?.end();
  };
  let isHandedOver = false;
  try {
    const repository = await repositoryFor(ctx, user, owner, repo.slice(0, -'.git'.length), isPush(service));
    if (repository === null) {
      noteRefusal(ctx.security)(request, new AppError('repository_not_found', 'Repository not found.'));
      const own = `Your repositories are at ${ctx.addresses.publicUrl}/${ownerOf(user)}/{name}.git.`;
      return plain(reply, 404, `Repository not found. ${own}`);
    }
    await noteUseOf(ctx, credential);
    if (isPush(service) && turn === null) await quota.warn(repository);
    const room = turn === null ? FETCH_LIMIT : await turn.roomFor(repository);
    const body = service.service === undefined ? (request.body as Readable) : null;
    const commands = body === null || turn === null ? null : await readCommands(body);
    const refusal = commands === null || turn === null ? null : await refusalFor(turn, repository, commands);
    if (refusal !== null) {
      gitPushes.add({ result: 'refused' });
      body?.resume();
      return reply.type(PUSH_RESULT).send(refusal);
    }
    const push = commands === null ? null : { user, repository, ...namesOfPush(commands.targets) };
    const { root } = ctx.git;
    const { username } = user;
    const { headers } = request;
    const connection = request.raw.socket;
    isHandedOver = true;
    const answering = runHttpBackend({
      root,
      repository,
      log: ctx.log,
      service,
      username,
      headers,
      body,
      room,
      connection,
      takesLines: commands?.sideBand === true,
      onPushed: async () => {
        gitPushes.add({ result: 'taken' });
        ctx.git.noteChange(user);
        return push === null ? [] : ((await told(ctx, watcher.arrived(push))) ?? []);
      },
      onEnd: leave,
    });
    const answer = await answering.catch((error: unknown) => {
      if (commands === null || !(error instanceof GitUnansweredError)) throw error;
      // Of an answer to what a push brings git shows nothing else.
      return refusalOf(commands, sentenceOf(error));
    });
    if (Buffer.isBuffer(answer)) {
      body?.resume();
      return reply.type(PUSH_RESULT).send(answer);
    }
    for (const [name, value] of answer.headers) reply.header(name, value);
    return reply.code(answer.status).send(answer.body);
  } finally {
    if (!isHandedOver) leave();
  }
}

/** Makes a client of git ask for an access token, in its words. */
export function askForToken(
  ctx: Pick<AppContext, 'addresses'>,
  reply: FastifyReply,
  sender: 'nobody' | 'unknown',
): FastifyReply {
  reply.header('www-authenticate', CHALLENGE);
  const hint = tokenHint(ctx);
  return plain(reply, 401, sender === 'nobody' ? hint : `This access token is not valid. ${hint}`);
}

/** A push is carried out whatever becomes of those who watch it. */
async function told<T>(ctx: AppContext, work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    ctx.log.error({ err: error }, 'a push could not be told on');
    return undefined;
  });
}

/**
 * A push is two requests: one that asks what is there, one that brings something.
 * @throws AppError rate_limited
 */
export function countPush(pushes: Rate, tenant: string, limits: GitLimits): Promise<void> | undefined {
  return atOnce(pushes.take(tenant), (seconds) => {
    ratesRefused.add({ kind: 'pushes' });
    throw new AppError('rate_limited', `You have pushed ${limits.pushesPerMinute} times in a minute.`, {
      detail: 'The operator can change PUSHES_PER_MINUTE.',
      retryAfterSeconds: seconds,
    });
  });
}

/** Why a push may not write what it wants to, in git's own form; null when it may. */
async function refusalFor(
  turn: PushTurn,
  repository: BareRepository,
  commands: PushCommands,
): Promise<Buffer | null> {
  try {
    await turn.checkRefs(repository, commands);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refusalOf(commands, sentenceOf(error));
  }
}

/** The whole message of an error, for a terminal. */
function sentenceOf(error: AppError): string {
  const { next_step: nextStep } = errorAnswer(error).body;
  return [error.message, nextStep, error.detail].filter((part) => part !== undefined).join(' ');
}

/** A push by its owner creates the repository; everybody else's repositories are as good as absent. */
export async function repositoryFor(
  ctx: HostedContext,
  user: GitUser,
  owner: string,
  name: string,
  pushes: boolean,
): ReturnType<HostedContext['git']['readable']> {
  const existing = await ctx.git.readable(owner, name, user);
  const isOwn = owner.toLowerCase() === ownerOf(user).toLowerCase();
  if (existing !== null || !isOwn || !pushes || !isRepositoryName(name)) return existing;
  return ctx.git.create(user, name);
}
