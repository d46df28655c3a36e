import { createHash } from 'node:crypto';
import { type FastifyInstance, fastify } from 'fastify';

const PREFIX = '/api-docs';
const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/**
 * A page for people to read and try the API, at /api-docs/; everything it loads comes from this server. The page's
 * component library takes 30 MB of memory, so it is loaded when somebody opens the page.
 */
export function addApiDocs(app: FastifyInstance, openApiUrl: string): void {
  let loading: Promise<FastifyInstance> | undefined;
  for (const url of [PREFIX, `${PREFIX}/*`]) {
    app.get(url, async (request, reply) => {
      loading ??= loadReference(openApiUrl);
      const { statusCode, headers, rawPayload } = await (await loading).inject({ url: request.url });
      if (statusCode === 404) return reply.callNotFound();
      const type = String(headers['content-type']);
      if (type.startsWith('text/html'))
        reply.header('content-security-policy', policyFor(rawPayload.toString('utf8')));
      if (headers.location !== undefined) reply.header('location', headers.location);
      return reply.code(statusCode).type(type).send(rawPayload);
    });
  }
}

async function loadReference(openApiUrl: string): Promise<FastifyInstance> {
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  const inner = fastify();
  await inner.register(apiReference, {
    routePrefix: PREFIX,
    configuration: {
      url: openApiUrl,
      pageTitle: 'Cannery API',
      // Nothing on the page may call or advertise somebody else's service.
      withDefaultFonts: false,
      telemetry: false,
      showDeveloperTools: 'never',
      hideClientButton: true,
      mcp: { disabled: true },
      agent: { disabled: true },
    },
  });
  await inner.ready();
  return inner;
}

/** The page's own inline script is allowed by its hash; its component library adds styles while it runs. */
function policyFor(page: string): string {
  const hashes = [...page.matchAll(INLINE_SCRIPT)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    "default-src 'self'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join(';');
}
