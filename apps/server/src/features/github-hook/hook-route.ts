import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { API_BASE, type GitHubConfig } from '../../config.ts';
import type { AppContext } from '../../context.ts';
import { takeEvent } from './take-event.ts';

const HOOK_PATH = `${API_BASE}/hooks/github`;

/** Bytes of an event. GitHub sends up to 25 MB; the largest push, of 2,048 commits, is near 4 MB. */
const EVENT_BYTES = 5 * 1024 ** 2;

/** Whether GitHub has signed these very bytes. */
function isSigned(body: Buffer, signature: unknown, secret: string): boolean {
  const wanted = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(typeof signature === 'string' ? signature : '');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function plain(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send(`${text}\n`);
}

function contentOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Where GitHub tells of pushes and of the end of installations. */
export async function addGitHubHook(
  app: FastifyInstance,
  ctx: AppContext,
  { webhookSecret }: Pick<GitHubConfig, 'webhookSecret'>,
): Promise<void> {
  await app.register(async (scope) => {
    // The signature is over the bytes as they come, and nothing is parsed before it is checked.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(HOOK_PATH, { bodyLimit: EVENT_BYTES }, async (request, reply) => {
      const { body, headers } = request;
      if (!(body instanceof Buffer) || !isSigned(body, headers['x-hub-signature-256'], webhookSecret)) {
        return plain(reply, 401, 'The signature does not fit GITHUB_WEBHOOK_SECRET.');
      }
      const { 'x-github-event': name, 'x-github-delivery': delivery } = headers;
      const content = contentOf(body);
      const isWhole =
        typeof name === 'string' && typeof delivery === 'string' && /^[\w-]{1,100}$/.test(delivery);
      if (!isWhole || content === undefined) {
        return plain(reply, 400, 'This is not an event. Choose the content type application/json at GitHub.');
      }
      await takeEvent(ctx, { name, delivery, content });
      return plain(reply, 202, 'Taken.');
    });
  });
}
