import type { Server } from 'node:http';
import { fastify, type FastifyInstance } from 'fastify';
import type { Logger } from '../log/logger.ts';
import { onlyOwnHosts, type ServesHost } from './console/check-host.ts';
import { handleErrors, sendError, toAppError } from './handle-errors.ts';
import { limitBodies } from './limits/limit-bodies.ts';
import { noteRefusal } from './note-refusal.ts';
import type { SecurityLog } from '../security-log/security-log.ts';
import { requestIdOf, REQUEST_ID } from '../log/request-context.ts';
import { nameRequests, watchRequests } from './watch-requests.ts';

/** Of whatever says no other limit. */
const BODY_BYTES = 16 * 1024;

/**
 * The HTTP framework of a process that people do not reach: other processes of the product call it, and the operator's probes. How often a
 * user calls is counted where the user is known first.
 */
export function createInnerApp(options: {
  server: Server;
  log: Logger;
  security: SecurityLog;
  servesHost: ServesHost;
}): FastifyInstance {
  const app = fastify({
    serverFactory: (handler) => {
      options.server.removeAllListeners('request');
      options.server.on(
        'request',
        onlyOwnHosts(options.servesHost, handler, ({ socket }) =>
          options.security.note('host_refused', { address: socket.remoteAddress }),
        ),
      );
      return options.server;
    },
    bodyLimit: BODY_BYTES,
    routerOptions: { maxParamLength: 300 },
    forceCloseConnections: true,
    frameworkErrors: (error, _request, reply) => sendError(reply, toAppError(error) ?? error),
    return503OnClosing: false,
    genReqId: ({ headers }) => requestIdOf(headers[REQUEST_ID]),
  });
  nameRequests(app);
  watchRequests(app, options.log);
  handleErrors(app, options.log, noteRefusal(options.security));
  limitBodies(app);
  return app;
}
