import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerWhole, type Caller, failure, handleApi, isApiPath } from './endpoints/api.ts';
import { readBody } from './transport/body.ts';
import { plainRequestId, REQUEST_ID } from './transport/call-notes.ts';
import { clientAddress } from './transport/client-address.ts';
import type { AnswersAtHand } from './transport/answers-at-hand.ts';
import { checkHost, type ServedHost, ServedHosts } from './transport/served-hosts.ts';
import { allowAllOrigins } from './transport/cors.ts';
import { addFastLane, type FastLane } from './fast-lane.ts';
import { KEEP_ALIVE_MILLIS } from './transport/keep-alive.ts';
import { RequestError } from './transport/request-error.ts';
import { Room, shareOf } from './transport/room.ts';
import { type HttpReply, type NetworkService, textReply } from './endpoints/service.ts';
import { controlTime, TIME_PATH } from './endpoints/time-control.ts';

/** A request to a host this network serves; `url` has its path and query. */
export interface PageRequest {
  readonly request: IncomingMessage;
  readonly host: ServedHost;
  readonly url: URL;
}

/** Answers what is not a request to the API: the web pages of canisters. */
export type PageHandler = (page: PageRequest, response: ServerResponse) => Promise<void>;

/** How web pages are answered, and what needs no more than to be sent. */
export interface Pages {
  readonly handle: PageHandler;
  /** Answers what is asked of the network itself, beside its API; nothing, or false, where the request is for a page. */
  readonly aside?: (page: PageRequest, response: ServerResponse) => Promise<boolean> | undefined;
  readonly atHand?: AnswersAtHand;
}

/** Where to listen, and the names to answer to besides those of loopback and `host` itself. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly hosts?: readonly string[];
}

/** Another program listens on the address already. */
export class AddressInUseError extends Error {
  override readonly name = 'AddressInUseError';
}

/** A running HTTP server. */
export interface HttpServer {
  readonly port: number;
  /** Stops accepting, lets answers in progress finish for a moment, then drops what is left. */
  close(): Promise<void>;
}

/** Long enough for a synchronous call to end its wait and be answered. */
const CLOSE_GRACE_MILLIS = 2_000;

/** How long a client may take to send a request, in milliseconds; `check`: how often that is looked at. */
export interface RequestTimeouts {
  readonly headers: number;
  readonly request: number;
  readonly check: number;
}

/** A request has at most a few megabytes and comes from near by; a connection that takes longer is dropped. */
const REQUEST_TIMEOUTS: RequestTimeouts = { headers: 20_000, request: 120_000, check: 5_000 };

/** Listens on `host`:`port` (0 picks a free port). Rejects with `AddressInUseError` when it is taken, `RangeError` for bad names. */
export async function startHttpServer(
  service: NetworkService,
  { handle: pages, aside, atHand }: Pages,
  { host, port, hosts: names = [] }: ListenAddress,
  timeouts: RequestTimeouts = REQUEST_TIMEOUTS,
): Promise<HttpServer> {
  const hosts = new ServedHosts([host, ...names]);
  const server = createServer({ connectionsCheckingInterval: timeouts.check }, (request, response) => {
    respond({ service, pages, aside, hosts }, request, response).catch((error: unknown) =>
      fail(response, error),
    );
  });
  server.keepAliveTimeout = KEEP_ALIVE_MILLIS;
  server.headersTimeout = timeouts.headers;
  server.requestTimeout = timeouts.request;
  const answer = (path: string, body: Buffer, from: Caller): Promise<HttpReply> =>
    answerWhole(service, path, body, from);
  const lane = addFastLane(
    server,
    { hosts, answer, room: new Room(), ...(atHand && { atHand }) },
    { first: timeouts.headers, idle: KEEP_ALIVE_MILLIS },
  );
  await listen(server, host, port);
  return { port: (server.address() as AddressInfo).port, close: () => close(server, lane) };
}

interface Served {
  readonly service: NetworkService;
  readonly pages: PageHandler;
  readonly aside: Pages['aside'];
  readonly hosts: ServedHosts;
}

async function respond(
  { service, pages, aside, hosts }: Served,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const host = checkHost(request, hosts);
  const method = request.method ?? 'GET';
  const url = parseUrl(request.url ?? '/');
  if (!url) return send(response, textReply(400, 'The address is malformed.'));
  if (service.timeControl && url.pathname === TIME_PATH) {
    return send(response, await controlTime(service, service.timeControl, request, response));
  }
  const answered = aside?.({ request, host, url }, response);
  if (answered && (await answered)) return;
  if (!isApiPath(url.pathname)) return pages({ request, host, url }, response);
  if (method === 'OPTIONS') return send(response, { status: 204 });
  const contentType = request.headers['content-type'];
  const body = (): Promise<Buffer> => readBody(request, response);
  const from = {
    address: clientAddress(request.socket.remoteAddress),
    requestId: plainRequestId(request.headers[REQUEST_ID]),
  };
  send(response, await handleApi(service, { method, path: url.pathname, contentType, from, body }));
}

/** The address as sent by the client; the host part is a placeholder. */
function parseUrl(target: string): URL | undefined {
  return URL.parse(target.startsWith('/') ? `http://network${target}` : target) ?? undefined;
}

function send(response: ServerResponse, { status, contentType, body }: HttpReply): void {
  allowAllOrigins(response);
  if (contentType) response.setHeader('content-type', contentType);
  response.setHeader('content-length', body?.length ?? 0);
  // The rest of a body that was refused is not read: end the connection instead.
  if (status === 413 || status === 503) response.setHeader('connection', 'close');
  response.writeHead(status).end(body);
  // What the client does not take yet is held for it.
  const share =
    response.writableLength > 0 && response.socket
      ? shareOf(response.socket, 'answers', () => response.destroy())
      : undefined;
  if (!share) return;
  if (share.hold(response.writableLength)) response.once('close', () => share.release());
  else response.destroy();
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.destroyed) return;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  send(response, error instanceof RequestError ? textReply(error.status, error.message) : failure(error));
}

function listen(server: Server, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const refuse = (error: NodeJS.ErrnoException): void => {
    const taken = `Port ${port} on ${host} is in use by another program; choose another port or stop that program.`;
    reject(error.code === 'EADDRINUSE' ? new AddressInUseError(taken) : error);
  };
  server.once('error', refuse);
  server.listen(port, host, () => {
    server.off('error', refuse);
    resolve();
  });
  return promise;
}

async function close(server: Server, lane: FastLane): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeIdleConnections();
  lane.closeIdle();
  const timer = setTimeout(() => {
    server.closeAllConnections();
    lane.closeAll();
  }, CLOSE_GRACE_MILLIS);
  await promise;
  clearTimeout(timer);
}
