import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from '../log/logger.ts';
import { httpNotServed, httpRequests, httpTimes, httpUnderWay } from '../metrics/instruments.ts';
import { type Client, inRequest, REQUEST_ID } from '../log/request-context.ts';
import { whenOver } from './limits/when-over.ts';

/** Methods that routes have; what else somebody may send counts as one. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Of requests that no route is for. */
const NO_ROUTE = 'none';

/**
 * Answers the name of each request (`requestIdOf`) in a header, and does all its work under that name, so that whatever is logged
 * meanwhile has it.
 */
export function nameRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID, request.id);
    inRequest(request.id, done, clientOf(request));
  });
  // What goes on when the body is read is called by the connection, which may have another name from before.
  app.addHook('preValidation', (request, _reply, done) => inRequest(request.id, done, clientOf(request)));
}

const clients = new WeakMap<FastifyRequest, Client>();

/** Who sends a request: its address, and its user as soon as that is known. */
export function clientOf(request: FastifyRequest): Client {
  const known = clients.get(request);
  if (known !== undefined) return known;
  const client = { address: request.ip, user: undefined };
  clients.set(request, client);
  return client;
}

/**
 * Counts requests and their time, by the pattern of their route: of an address that somebody has made up nothing becomes a label.
 * At the level `info` each is a line of the log.
 */
export function watchRequests(app: FastifyInstance, log: Logger): void {
  app.addHook('onRequest', (request, reply, done) => {
    const begun = performance.now();
    httpUnderWay.add(1);
    whenOver(reply.raw, () => {
      httpUnderWay.add(-1);
      const ms = performance.now() - begun;
      const labels = { route: routeOf(request), method: methodOf(request) };
      const status = reply.raw.writableFinished ? `${Math.trunc(reply.raw.statusCode / 100)}xx` : 'aborted';
      httpRequests.add({ ...labels, status });
      httpTimes.took(labels, ms);
      if (!log.isLevelEnabled('info')) return;
      const line = { ...labels, status: reply.raw.statusCode, ms: Math.round(ms * 10) / 10 };
      const said = status === 'aborted' ? 'A client went away before its answer' : 'A request was answered';
      inRequest(request.id, () => log.info(line, said));
    });
    done();
  });
}

/** Counts what is no HTTP request. */
export function countBroken(): void {
  httpNotServed.add({ reason: 'broken' });
}

/** The pattern of a request's route: nothing of what a stranger has made up. */
export function routeOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? NO_ROUTE;
}

/** The method of a request; 'other' for one that no route has. */
export function methodOf({ method }: FastifyRequest): string {
  return METHODS.has(method) ? method : 'other';
}
