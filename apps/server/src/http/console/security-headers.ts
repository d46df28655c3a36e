import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** What the pages call beside their own origin. */
export interface CalledUrls {
  /** The IC HTTP interface as browsers see it. */
  readonly network: string;
  /** The API, when it is on another origin. */
  readonly api: string | undefined;
}

/** Strict headers on every answer: no inline script or style, no foreign origin but those that the pages call. */
export async function addSecurityHeaders(app: FastifyInstance, called: CalledUrls): Promise<void> {
  const api = called.api === undefined ? [] : [new URL(called.api).origin];
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        connectSrc: ["'self'", new URL(called.network).origin, ...api],
        imgSrc: ["'self'", 'data:', ...api],
        fontSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        // No text becomes markup or script in a page of ours, whatever a library does with it.
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ["'none'"],
      },
    },
    // The console is served without TLS on loopback; a proxy that adds TLS adds this header.
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
  });
}
