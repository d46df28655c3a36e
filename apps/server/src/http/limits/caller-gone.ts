import type { FastifyReply } from 'fastify';
import { AppError } from '../../errors.ts';

/** Aborts when the caller goes away, at the latest when it has its answer. Nobody reads what it aborts with. */
export function callerGone(reply: FastifyReply): AbortSignal {
  const caller = new AbortController();
  const reason = 'The caller went away before it was its turn.';
  reply.raw.once('close', () => caller.abort(new AppError('rate_limited', reason)));
  return caller.signal;
}
