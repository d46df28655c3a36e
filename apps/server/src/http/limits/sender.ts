import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { Sender } from '../../fairness/call-limiter.ts';
import { whenOver } from './when-over.ts';

/** The bearer token of a call's Authorization header. */
export function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,512})$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** The password of HTTP Basic authentication; any username goes with an access token. */
export function basicPassword(request: FastifyRequest): string | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/=]{1,2000})$/i.exec(request.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  return text.slice(text.indexOf(':') + 1);
}

/** What a request shows of its sender. The address is that of the connection unless a proxy is trusted (TRUST_PROXY). */
export function senderOf(request: FastifyRequest): Sender {
  return { credential: bearerToken(request) ?? basicPassword(request), address: request.ip };
}

/** Aborts when the caller goes away, at the latest when it has its answer. Nobody reads what it aborts with. */
export function callerGone(reply: FastifyReply): AbortSignal {
  const caller = new AbortController();
  const reason = 'The caller went away before it was its turn.';
  whenOver(reply.raw, () => caller.abort(new AppError('rate_limited', reason)));
  return caller.signal;
}
