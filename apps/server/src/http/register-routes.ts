import { Readable } from 'node:stream';
import { type NamedOrigin, readOriginHeader } from '@cannery/contract';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError } from '../errors.ts';
import { userTenant } from '../fairness/callers.ts';
import { knowUser } from '../log/request-context.ts';
import type { CallLimiter } from '../fairness/call-limiter.ts';
import type { Caller } from './actor.ts';
import { BodiesInFlight } from './limits/bodies-in-flight.ts';
import { bearerToken, callerGone, senderOf } from './limits/sender.ts';
import { checkGrant } from './check-grant.ts';
import { isWithinJsonBudget } from '../fairness/json-budget.ts';
import { plainProblem } from './plain-problem.ts';
import type { RawCall, Route } from './route.ts';
import { readRest, uploadedFile } from './uploaded-file.ts';
import { whenOver } from './limits/when-over.ts';

/** Finds who calls with a bearer token; undefined when the token is not valid (any more). */
export type Authenticate = (token: string) => Promise<Caller | undefined>;

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,200}$/;
const MIB = 1024 * 1024;
/** JSON of signed-in users. */
const BODY_BYTES = MIB;
/** Many times what the longest call of the contract has. */
const BODY_BUDGET = { depth: 32, values: 20_000 };
/** Shorter bodies are not counted: the calls are. */
const SMALL_BODY_BYTES = 4 * 1024;
/** Of JSON that is read for signed-in users at the same time. */
const bodies = new BodiesInFlight({
  bytes: 48 * MIB,
  bytesOfSender: 8 * MIB,
  bytesOfPlace: 48 * MIB,
  bodiesOfSender: 100,
});
/** Of bodies whose sender has no session, which are a form or a token; shorter ones than a kilobyte are not counted. */
const strangersBodies = new BodiesInFlight({
  bytes: 16 * MIB,
  bytesOfSender: 4 * MIB,
  bytesOfPlace: 16 * MIB,
  bodiesOfSender: 256,
});
const SMALL_STRANGERS_BYTES = 1024;
/** How long an upload may take to come, in milliseconds. */
const UPLOAD_MS = 10 * 60_000;

/** Puts a table of routes below a path of the server; both forms, with and without trailing slash, are accepted. */
export async function registerRoutes(
  app: FastifyInstance,
  options: { prefix: string; routes: readonly Route[]; authenticate: Authenticate; callLimiter: CallLimiter },
): Promise<void> {
  await app.register(
    async (scope) => {
      await scope.register(multipart, {
        limits: { files: 1, fields: 10, fieldSize: 10_000, parts: 12 },
      });
      acceptEmptyJson(scope);
      for (const one of options.routes) addRoute(scope, one, options);
    },
    { prefix: options.prefix },
  );
}

function addRoute(
  app: FastifyInstance,
  { endpoint, handle, callsPerMinute }: Route,
  { authenticate, callLimiter }: { authenticate: Authenticate; callLimiter: CallLimiter },
): void {
  const callers = new WeakMap<FastifyRequest, Caller>();
  app.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(endpoint.signedIn ? { bodyLimit: BODY_BYTES } : {}),
    config: {
      ...(callsPerMinute === undefined ? {} : { rateLimit: { max: callsPerMinute, timeWindow: '1 minute' } }),
      ...(endpoint.upload === undefined ? {} : { bodyMs: UPLOAD_MS, isUpload: true }),
    },
    // Before the body is read: whoever is not signed in learns nothing else, and has nothing parsed.
    onRequest: async (request, reply) => {
      if (!endpoint.signedIn) {
        const sender = callLimiter.tenantOf(senderOf(request));
        countBody({ request, reply }, sender, { bodies: strangersBodies, small: SMALL_STRANGERS_BYTES });
        return;
      }
      const credential = bearerToken(request);
      const caller =
        credential === undefined
          ? undefined
          : await callLimiter.identify({ credential, address: request.ip }, authenticate);
      if (caller === undefined) {
        throw new AppError('unauthenticated', 'You are not signed in, or your session has ended.');
      }
      knowUser(caller.id);
      if (caller.grant !== undefined) checkGrant(endpoint, caller.grant, request.params);
      callers.set(request, caller);
      if (endpoint.upload === undefined)
        countBody({ request, reply }, userTenant(caller.id), { bodies, small: SMALL_BODY_BYTES });
    },
    handler: async (request, reply) => {
      const caller = callers.get(request);
      const call: RawCall = {
        params: check(endpoint.params, request.params, 'not_found'),
        query: check(endpoint.query, request.query, 'invalid_input'),
        body: check(endpoint.body, request.body ?? {}, 'invalid_input'),
        user: caller,
        grant: caller?.grant,
        token: bearerToken(request),
        idempotencyKey: endpoint.idempotent ? idempotencyKey(request) : undefined,
        codeOrigin: endpoint.namesOrigin ? codeOrigin(request) : undefined,
        isMinimal: endpoint.minimal === true && request.headers['prefer'] === 'return=minimal',
        lastEventId: endpoint.eventStream ? lastEventId(request) : undefined,
        userAgent: request.headers['user-agent'],
        cookies: request.cookies,
        file: await uploadedFile(request, endpoint),
      };
      const tenant =
        call.user === undefined ? callLimiter.tenantOf(senderOf(request)) : userTenant(call.user.id);
      // An upload lasts as long as its sender takes; it has other turns.
      const answer =
        call.file === undefined
          ? await callLimiter.handle(tenant, () => handle(call), callerGone(reply))
          : await handle(call).finally(() => readRest(request));
      // An answer to HEAD would read the stream to its end, for nobody.
      if (request.method === 'HEAD' && answer.body instanceof Readable) answer.body.destroy();
      return reply
        .code(answer.status ?? 200)
        .headers({ 'cache-control': 'no-store', ...answer.headers })
        .send(answer.body);
    },
  });
}

/** Counts a long body until its call is over. @throws AppError rate_limited */
function countBody(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  sender: string,
  { bodies: counted, small }: { bodies: BodiesInFlight; small: number },
): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  const bytes = encoding === undefined ? Math.min(Number(length ?? 0), BODY_BYTES) : BODY_BYTES;
  // Its sender may have gone while it was looked up: nothing comes any more.
  if (bytes <= small || reply.raw.closed) return;
  const body = counted.enter({ sender, place: 'api' });
  whenOver(reply.raw, () => body[Symbol.dispose]());
  body.add(bytes);
}

function lastEventId({ headers }: FastifyRequest): string | undefined {
  const given = headers['last-event-id'];
  return typeof given === 'string' ? given : undefined;
}

/** The name the client gives a request. @throws AppError invalid_input when it is none that can be kept */
function idempotencyKey(request: FastifyRequest): string | undefined {
  const given = request.headers['idempotency-key'];
  if (given === undefined) return undefined;
  if (typeof given === 'string' && IDEMPOTENCY_KEY.test(given)) return given;
  throw new AppError(
    'invalid_input',
    'The header Idempotency-Key must be 1 to 200 printable ASCII characters.',
  );
}

/** What the client takes a module from. @throws AppError invalid_input */
function codeOrigin({ headers }: FastifyRequest): NamedOrigin | undefined {
  const given = headers['code-origin'];
  if (given === undefined) return undefined;
  const origin = typeof given === 'string' ? readOriginHeader(given) : undefined;
  if (origin !== undefined) return origin;
  throw new AppError(
    'invalid_input',
    "The header Code-Origin must be 'dapp' and an id, or 'registry', an id and the number of a version.",
  );
}

function check(schema: z.ZodType | undefined, value: unknown, code: 'invalid_input' | 'not_found'): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(withoutNul(value), { error: plainSentence });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') ?? '';
  const message = issue?.message ?? 'The input is not valid.';
  throw new AppError(code, message, where === '' ? {} : { detail: `In ${where}: ${message}` });
}

/** The sentence for a problem for which the contract has none. */
function plainSentence(issue: z.core.$ZodRawIssue): string | undefined {
  const problem = plainProblem(issue);
  if (problem === undefined) return undefined;
  const where = issue.path?.join('.') ?? '';
  return where === '' ? `The input ${problem}.` : `'${where}' ${problem}.`;
}

/** No input of the contract is nested deeper; what is, no schema lets through. */
const DEEPEST_INPUT = 5;

/** No text of ours needs the character NUL, and the database takes none. */
function withoutNul(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '');
  if (typeof value !== 'object' || value === null || depth === DEEPEST_INPUT) return value;
  if (Array.isArray(value)) return value.map((inner) => withoutNul(inner, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutNul(inner, depth + 1)]));
}

function tooMuchInside(): AppError {
  return new AppError('invalid_input', 'The body of the call is nested too deeply, or has too many values.');
}

/** A call without a body may still name JSON as its content type. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.trim() === '') done(null, undefined);
    else if (!isWithinJsonBudget(text, BODY_BUDGET)) done(tooMuchInside());
    else parse(request, text, done);
  });
}
