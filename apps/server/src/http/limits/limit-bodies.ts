import type { FastifyInstance } from 'fastify';
import { whenOver } from './when-over.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How long the body of a request may take to come, in milliseconds. */
    bodyMs?: number;
    /** Whether the body is a file, whose bytes count. */
    isUpload?: boolean;
  }
}

/** A body of JSON or of a form is small. */
const BODY_MS = 30_000;

/** Cuts the connection of a body that takes too long to come, so that nobody holds a handler by a byte now and then. */
export function limitBodies(app: FastifyInstance, bodyMs = BODY_MS): void {
  app.addHook('onRequest', async (request, reply) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (encoding === undefined && (length === undefined || length === '0')) return;
    const { raw } = request;
    const timer = setTimeout(() => {
      if (!raw.complete) raw.socket.destroy();
    }, request.routeOptions.config.bodyMs ?? bodyMs);
    timer.unref();
    whenOver(reply.raw, () => clearTimeout(timer));
  });
}
