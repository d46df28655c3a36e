import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DamagedBlobError, MissingBlobError } from '../blobs/blob-store.ts';
import { AppError, errorAnswer } from '../errors.ts';
import type { Logger } from '../log/logger.ts';
import { httpErrors } from '../metrics/instruments.ts';
import { storageError } from '../storage-errors.ts';

/** Is told of what a caller was refused, for the security log. */
export type NoteRefusal = (request: FastifyRequest, error: AppError) => void;

/**
 * Turns everything thrown by a handler into the error answer of the contract, and logs what is not the caller's fault.
 * @param refused is told of the rest
 */
export function handleErrors(app: FastifyInstance, log: Logger, refused: NoteRefusal): void {
  app.setErrorHandler((error, request, reply) => {
    const known = toAppError(error);
    const { status } = errorAnswer(known ?? error);
    if (known === undefined) {
      log.error(
        { err: error, method: request.method, path: pathOf(request.url) },
        'A call failed unexpectedly',
      );
    } else if (status >= 500) {
      log.warn({ err: known, method: request.method, path: pathOf(request.url) }, known.message);
    } else refused(request, known);
    return sendError(reply, known ?? error);
  });
}

/** Answers an error as the contract says. */
export function sendError(reply: FastifyReply, error: unknown): FastifyReply {
  const { status, body } = errorAnswer(error);
  httpErrors.add({ code: body.code });
  if (error instanceof AppError && error.retryAfterSeconds !== undefined) {
    reply.header('retry-after', String(error.retryAfterSeconds));
  }
  return reply.code(status).header('cache-control', 'no-store').send(body);
}

/** Without the query, which may hold a sign-in token. */
function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url;
}

/** Errors of the HTTP layer in our own words; undefined for anything unexpected. */
export function toAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  // What failed first says more than that what was in use could then not be given back.
  if (error instanceof SuppressedError) return toAppError(error.suppressed) ?? toAppError(error.error);
  const ofStorage = storageError(error);
  if (ofStorage) return ofStorage;
  if (error instanceof MissingBlobError || error instanceof DamagedBlobError)
    return new AppError(
      'storage_unavailable',
      'The storage of uploads has lost this content or changed it.',
      {
        cause: error,
      },
    );
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  const { statusCode } = error;
  // No id of ours is that long.
  if (statusCode === 414 || ('code' in error && error.code === 'FST_ERR_MAX_PARAM_LENGTH'))
    return new AppError('not_found', 'There is nothing at this address.', { cause: error });
  if (statusCode === 413)
    return new AppError('payload_too_large', 'The upload is too large.', { cause: error });
  if (statusCode === 429)
    return new AppError('rate_limited', 'Too many calls in a short time.', { cause: error });
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new AppError('invalid_input', 'The call could not be understood.', {
      detail: error.message,
      cause: error,
    });
  }
  return undefined;
}
