import { createHash } from 'node:crypto';
import apiReference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';

const PREFIX = '/api-docs';
const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** A page for people to read and try the API, at /api-docs/; everything it loads comes from this server. */
export async function addApiDocs(app: FastifyInstance, openApiUrl: string): Promise<void> {
  await app.register(async (scope) => {
    // The page's own inline script is allowed by its hash; its component library adds styles while it runs.
    scope.addHook('onSend', async (_request, reply, payload) => {
      if (typeof payload !== 'string' || !String(reply.getHeader('content-type')).startsWith('text/html'))
        return payload;
      const hashes = [...payload.matchAll(INLINE_SCRIPT)].map(
        ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
      );
      reply.header(
        'content-security-policy',
        [
          "default-src 'self'",
          `script-src 'self' ${hashes.join(' ')}`,
          "style-src 'self' 'unsafe-inline'",
          "img-src 'self' data:",
          "font-src 'self' data:",
          "object-src 'none'",
          "base-uri 'none'",
          "frame-ancestors 'none'",
        ].join(';'),
      );
      return payload;
    });
    await scope.register(apiReference, {
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
  });
}
