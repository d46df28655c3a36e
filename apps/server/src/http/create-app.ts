import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import cookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import { fastify, type FastifyInstance } from 'fastify';
import { AppError, errorAnswer } from '../errors.ts';
import type { CallLimiter } from '../fairness/call-limiter.ts';
import type { Logger } from '../log/logger.ts';
import {
  addSecurityHeaders,
  allowConsole,
  BARE_HEADERS,
  type CalledUrls,
  type ConsoleElsewhere,
} from './console/security-headers.ts';
import { onlyOwnHosts, type ServesHost } from './console/check-host.ts';
import { routedUrl } from './console/console-files.ts';
import { handleErrors, sendError, toAppError } from './handle-errors.ts';
import { countBroken, nameRequests, watchRequests } from './watch-requests.ts';
import { noteForeignOrigins, noteRefusal } from './note-refusal.ts';
import type { SecurityLog } from '../security-log/security-log.ts';
import { requestIdOf, REQUEST_ID } from '../log/request-context.ts';
import { limitAnswers } from './limits/limit-answers.ts';
import { limitBodies } from './limits/limit-bodies.ts';
import { limitRates } from './limits/limit-rates.ts';
import { windowStore } from './limits/window-store.ts';

/** How long the answer may take to be read, in milliseconds. */
const LINGER_MS = 1000;

/** Answers what is no HTTP request, which no route sees, and closes the connection. */
function answerBrokenRequest(security: SecurityLog, error: Error & { code?: string }, socket: Socket): void {
  countBroken();
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body } = errorAnswer(
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new AppError('payload_too_large', 'The headers of the request are too large.')
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? new AppError('invalid_input', 'The request did not arrive in time.')
        : new AppError('invalid_input', 'The request is not valid HTTP.'),
  );
  security.note('input_refused', { address: socket.remoteAddress, code: body.code });
  // The other side may never close its half.
  socket.setTimeout(LINGER_MS, () => socket.destroy());
  const text = JSON.stringify(body);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Connection: close',
      ...Object.entries(BARE_HEADERS).map(([name, value]) => `${name}: ${value}`),
      '',
      text,
    ].join('\r\n'),
  );
}

/** Of whoever is not known yet: a form or a token. Calls of signed-in users, and uploads, have other limits. */
const BODY_BYTES = 16 * 1024;

/**
 * The HTTP framework with everything that holds for every answer. It takes over a server that already listens, since
 * addresses that depend on the bound port are part of what the routes answer.
 */
export async function createHttpApp(options: {
  server: Server;
  log: Logger;
  security: SecurityLog;
  called: CalledUrls;
  /** The console, when it is on another origin. */
  consoleElsewhere?: ConsoleElsewhere;
  callLimiter: CallLimiter;
  /** Addresses of the proxies whose X-Forwarded-For is believed. */
  trustProxy: string[] | false;
  servesHost: ServesHost;
  /** How long the body of an ordinary request may take to come, in milliseconds. */
  bodyMs?: number;
  /** How long an answer may take to be taken, in milliseconds. */
  answerMs?: number;
}): Promise<FastifyInstance> {
  const { security } = options;
  const refused = noteRefusal(security);
  const app = fastify({
    serverFactory: (handler) => {
      options.server.removeAllListeners('request');
      options.server.on(
        'request',
        onlyOwnHosts(options.servesHost, handler, ({ socket }) =>
          security.note('host_refused', { address: socket.remoteAddress }),
        ),
      );
      return options.server;
    },
    bodyLimit: BODY_BYTES,
    rewriteUrl: routedUrl,
    trustProxy: options.trustProxy,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    forceCloseConnections: true,
    // An address that cannot be read comes before every hook.
    frameworkErrors: (error, request, reply) => {
      const known = toAppError(error);
      if (known !== undefined) refused(request, known);
      void sendError(reply.headers(BARE_HEADERS), known ?? error);
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(security, error, socket),
    return503OnClosing: false,
    genReqId: ({ headers }) => requestIdOf(headers[REQUEST_ID]),
  });
  nameRequests(app);
  watchRequests(app, options.log);
  handleErrors(app, options.log, refused);
  noteForeignOrigins(app, security, options.consoleElsewhere?.origin);
  if (options.consoleElsewhere !== undefined) allowConsole(app, options.consoleElsewhere);
  limitRates(app, options.callLimiter, undefined, refused);
  limitBodies(app, options.bodyMs);
  limitAnswers(app, options.callLimiter, options.answerMs);
  await app.register(cookie);
  const { windows } = options.callLimiter.rates;
  await app.register(rateLimit, { global: false, ...(windows && { store: windowStore(windows) }) });
  await addSecurityHeaders(app, options.called);
  return app;
}
