import type { FastifyInstance } from 'fastify';
import type { AppContext } from '../../context.ts';
import { callerGone } from '../../http/caller-gone.ts';
import { senderOf } from '../../http/sender.ts';
import { newSecret } from '../../secrets.ts';
import { HOOK_PATH, sealingPlace } from './hook-place.ts';
import { limitDeliveries } from './limit-deliveries.ts';
import { type Decoy, receiveDelivery } from './receive-delivery.ts';

/** Bytes of an event: a push of a thousand commits. */
const EVENT_LIMIT = 1024 * 1024;

/**
 * The address at which git hosts tell of pushes. They have no session: each delivery proves that its sender has the secret
 * of the hook, over the bytes as they came, before any of them are parsed.
 */
export async function addDeliveryRoute(app: FastifyInstance, ctx: AppContext): Promise<void> {
  const count = limitDeliveries();
  const decoy: Decoy = { id: 'decoy', sealed: ctx.sealing.seal(newSecret(), sealingPlace('decoy')) };
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: EVENT_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    scope.route<{ Params: { id: string } }>({
      method: 'POST',
      url: `${HOOK_PATH}/:id`,
      bodyLimit: EVENT_LIMIT,
      onRequest: async (request) => count(request.params.id, request.ip),
      handler: async (request, reply) => {
        const { id } = request.params;
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const { status, message } = await ctx.gate.handle(
          ctx.gate.tenantOf(senderOf(request)),
          () => receiveDelivery(ctx, { id, headers: request.headers, body }, decoy),
          callerGone(reply),
        );
        return reply.code(status).header('cache-control', 'no-store').send({ message });
      },
    });
  });
}
