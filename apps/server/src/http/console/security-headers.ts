import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** What the pages call beside their own origin. */
export interface CalledUrls {
  /** The IC HTTP interface as browsers see it. */
  readonly network: string;
  /** The API, when it is on another origin. */
  readonly api: string | undefined;
  /** Whether the sign-in page opens a window of another origin that answers it. */
  readonly opensWindows?: boolean;
  /** Whether all that browsers are to reach on these hosts, the console first, has TLS. */
  readonly httpsOnly: boolean;
}

/** Of an answer that is data: nothing is loaded for it, and nobody shows it in a frame. */
const POLICY_OF_DATA = "default-src 'none';base-uri 'none';frame-ancestors 'none'";

/** Of answers that no page is made of, and that come before the framework has a say. */
export const BARE_HEADERS = {
  'content-security-policy': POLICY_OF_DATA,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** Heads that say something of documents only, half a kilobyte with each answer of the API. */
export const OF_DOCUMENTS = [
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'x-dns-prefetch-control',
  'x-frame-options',
  'x-xss-protection',
] as const;

/** Seconds for which a browser that has seen the console by https takes it by nothing else: a year. */
const HTTPS_S = 31_536_000;

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
    // Without TLS, as on loopback, browsers ignore the header; and it holds for all ports of a host.
    strictTransportSecurity: called.httpsOnly ? { maxAge: HTTPS_S, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'no-referrer' },
    // Of Internet Explorer and of Flash, which open no page of ours.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: { policy: called.opensWindows ? 'same-origin-allow-popups' : 'same-origin' },
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (String(reply.getHeader('content-type')).startsWith('application/json')) {
      reply.header('content-security-policy', POLICY_OF_DATA);
      for (const name of OF_DOCUMENTS) reply.removeHeader(name);
    }
    done(null, payload);
  });
}

/** What the console sends beyond what every page may send to any origin (Fetch standard, CORS-safelisted headers). */
const HEADERS = 'authorization, code-origin, content-type, idempotency-key, last-event-id, prefer';
const METHODS = 'GET, POST, PATCH, PUT, DELETE';
/** How long a browser may remember the answer to its question; seconds. */
const REMEMBER_S = 600;

/** A console on another origin. */
export interface ConsoleElsewhere {
  readonly origin: string;
  /** Path of the API, the only thing it may call. */
  readonly below: string;
}

/**
 * Lets the pages of a console on another origin call the API (CORS), and read its refusals too. Cookies are let through
 * for the one call that proves with one that this browser began the sign-in.
 */
export function allowConsole(app: FastifyInstance, { origin, below }: ConsoleElsewhere): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith(`${below}/`)) return;
    reply.header('vary', 'origin');
    if (request.headers.origin !== origin) return;
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' });
  });
  app.options(`${below}/*`, async (request, reply) => {
    if (request.headers.origin !== origin) return reply.callNotFound();
    return reply
      .code(204)
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': HEADERS,
        'access-control-max-age': REMEMBER_S,
      })
      .send();
  });
}
