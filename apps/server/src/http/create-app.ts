import type { Server } from 'node:http';
import cookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import { type FastifyInstance, fastify } from 'fastify';
import type { Logger } from '../logger.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { handleErrors, sendError, toAppError } from './handle-errors.ts';
import { addSecurityHeaders } from './security-headers.ts';

/** JSON bodies; uploads have a limit of their own. */
const BODY_BYTES = 1024 * 1024;

/**
 * The HTTP framework with everything that holds for every answer. It takes over a server that already listens, since
 * addresses that depend on the bound port are part of what the routes answer.
 */
export async function createHttpApp(options: {
  server: Server;
  log: Logger;
  networkUrls: readonly string[];
}): Promise<FastifyInstance> {
  const app = fastify({
    serverFactory: (handler) => {
      options.server.removeAllListeners('request');
      options.server.on('request', handler);
      return options.server;
    },
    bodyLimit: BODY_BYTES,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    forceCloseConnections: true,
    frameworkErrors: (error, _request, reply) => sendError(reply, toAppError(error) ?? error),
    clientErrorHandler: answerBrokenRequest,
    return503OnClosing: false,
  });
  handleErrors(app, options.log);
  await app.register(cookie);
  await app.register(rateLimit, { global: false });
  await addSecurityHeaders(app, options.networkUrls);
  return app;
}
