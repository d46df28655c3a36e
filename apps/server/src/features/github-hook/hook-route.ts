import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { API_BASE, type GitHubConfig } from '../../config/config.ts';
import type { AppContext } from '../../context.ts';
import {
  enterUnproven,
  readUnproven,
  takeBodiesAsStreams,
  UNPROVEN_BODY_MS,
} from '../../http/limits/bodies-in-flight.ts';
import { takeEvent } from './take-event.ts';

/** HMAC-SHA256 as hexadecimal digits. */
const SIGNATURE = /^sha256=[0-9a-f]{64}$/;
const HOOK_PATH = `${API_BASE}/hooks/github`;

/** Bytes of an event. GitHub sends up to 25 MB; the largest push, of 2,048 commits, is near 4 MB. */
const EVENT_BYTES = 5 * 1024 ** 2;

/** Whether GitHub has signed the bytes of which this is the digest. */
function isSigned(digest: string, signature: unknown): boolean {
  const wanted = Buffer.from(`sha256=${digest}`);
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
    takeBodiesAsStreams(scope);
    scope.post(HOOK_PATH, { config: { bodyMs: UNPROVEN_BODY_MS } }, async (request, reply) => {
      const { headers, ip: address } = request;
      const signature = headers['x-hub-signature-256'];
      const isWorthKeeping = typeof signature === 'string' && SIGNATURE.test(signature);
      using inFlight = enterUnproven(isWorthKeeping, { address, place: HOOK_PATH });
      const hmac = createHmac('sha256', webhookSecret);
      const pieces: Buffer[] = [];
      const take = (piece: Buffer): void => {
        hmac.update(piece);
        if (isWorthKeeping) pieces.push(piece);
      };
      await readUnproven({ request, reply }, { most: EVENT_BYTES, inFlight, take });
      const body = Buffer.concat(pieces);
      if (!isSigned(hmac.digest('hex'), signature)) {
        ctx.security.note('webhook_refused', { webhook: 'github' });
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
