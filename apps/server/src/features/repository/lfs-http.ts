import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '@cannery/contract';
import { AppError, errorAnswer } from '../../errors.ts';
import type { AppContext } from '../../context.ts';
import { noteRefusal } from '../../http/note-refusal.ts';
import { toAppError } from '../../http/handle-errors.ts';

/** The form of every answer of Git LFS (git-lfs, docs/api/batch.md). */
const LFS_JSON = 'application/vnd.git-lfs+json';
/** What git-lfs understands of a refusal; other codes have the status of the contract. */
const STATUS: Readonly<Partial<Record<ErrorCode, number>>> = {
  invalid_input: 422,
  payload_too_large: 413,
  quota_reached: 507,
  repository_not_found: 404,
  not_found: 404,
};
/** How long the rest of a body that was refused is taken and forgotten, in milliseconds: its sender reads the answer meanwhile. */
const LINGER_MS = 5_000;

/** Answers in the form of Git LFS. */
export function sendLfs(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').type(LFS_JSON).send(JSON.stringify(body));
}

/** Lets refusals of the routes of a scope have the form of Git LFS. */
export function refuseInLfsForm(
  scope: FastifyInstance,
  { log, security }: Pick<AppContext, 'log' | 'security'>,
): void {
  const refused = noteRefusal(security);
  scope.setErrorHandler((error, request, reply) => {
    const known = toAppError(error);
    if (known === undefined)
      log.error({ err: error, path: request.params }, 'A call of Git LFS failed unexpectedly');
    // Who has not shown a valid access token is noted where it was looked for.
    else if (known.code !== 'unauthenticated') refused(request, known);
    if (known?.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds);
    const status = known === undefined ? 500 : (STATUS[known.code] ?? errorAnswer(known).status);
    const message =
      known === undefined
        ? 'Something went wrong on the server.'
        : [known.message, known.detail].filter((part) => part !== undefined).join(' ');
    return sendLfs(reply, status, { message });
  });
}

/** Ends the connection of a body that goes on when it has been answered. */
export function endBody(reply: FastifyReply): void {
  const { raw } = reply.request;
  reply.raw.once('finish', () => {
    if (raw.complete) return;
    raw.resume();
    setTimeout(() => {
      if (!raw.complete) raw.socket.destroy();
    }, LINGER_MS).unref();
  });
}

/**
 * A body as it comes; whoever has enough of it stops, and the connection is still there for an answer.
 * @throws AppError invalid_input when it is cut off
 */
export async function* piecesOfBody(request: FastifyRequest): AsyncGenerator<Buffer> {
  const body = request.body as Readable | null | undefined;
  if (body === null || body === undefined) return;
  try {
    for await (const piece of body.iterator({ destroyOnReturn: false })) yield piece as Buffer;
  } catch (error) {
    throw new AppError('invalid_input', 'The body of the request was cut off.', { cause: error });
  }
}

/**
 * The text of a body.
 * @param most bytes
 * @param taken counts what is kept
 * @throws AppError payload_too_large, rate_limited
 */
export async function textOfBody(
  request: FastifyRequest,
  most: number,
  taken: { add(bytes: number): void },
): Promise<string> {
  const tooLarge = (): AppError =>
    new AppError('payload_too_large', `The request has more than ${most} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge();
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of piecesOfBody(request)) {
    length += piece.length;
    if (length > most) throw tooLarge();
    taken.add(piece.length);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
