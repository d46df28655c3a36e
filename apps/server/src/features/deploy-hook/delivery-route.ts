import type { FastifyInstance } from 'fastify';
import type { AppContext } from '../../context.ts';
import { callerGone } from '../../http/limits/caller-gone.ts';
import {
  readUnproven,
  takeBodiesAsStreams,
  UNPROVEN_BODY_MS,
  enterUnproven,
} from '../../http/limits/read-unproven.ts';
import { senderOf } from '../../http/limits/sender.ts';
import { newSecret } from '../../secrets.ts';
import { HOOK_PATH, sealingPlace } from './hook-place.ts';
import { limitDeliveries } from './limit-deliveries.ts';
import { type Decoy, expectDelivery, receiveDelivery } from './receive-delivery.ts';

/** Bytes of an event: a push of a thousand commits. */
const EVENT_LIMIT = 1024 * 1024;

/**
 * The address at which git hosts tell of pushes. They have no session: each delivery proves that its sender has the secret
 * of the hook, over the bytes as they come, before any of them are parsed. Nothing is kept of a body that can prove nothing,
 * and of the others no more than a share for each hook and address.
 */
export async function addDeliveryRoute(app: FastifyInstance, ctx: AppContext): Promise<void> {
  const count = limitDeliveries();
  const decoy: Decoy = { id: 'decoy', sealed: ctx.sealing.seal(newSecret(), sealingPlace('decoy')) };
  await app.register(async (scope) => {
    takeBodiesAsStreams(scope);
    scope.route<{ Params: { id: string } }>({
      method: 'POST',
      url: `${HOOK_PATH}/:id`,
      config: { bodyMs: UNPROVEN_BODY_MS },
      onRequest: async (request) => count(request.params.id, request.ip),
      handler: async (request, reply) => {
        const { headers, ip: address } = request;
        const { id } = request.params;
        const turn = <T>(work: () => Promise<T>): Promise<T> =>
          ctx.callLimiter.handle(ctx.callLimiter.tenantOf(senderOf(request)), work, callerGone(reply));
        const expected = await turn(() => expectDelivery(ctx, { id, headers }, decoy));
        using inFlight = enterUnproven(expected.isWorthKeeping, { address, place: id });
        const pieces: Buffer[] = [];
        await readUnproven(
          { request, reply },
          {
            most: EVENT_LIMIT,
            inFlight,
            take(piece) {
              expected.update(piece);
              if (expected.isWorthKeeping) pieces.push(piece);
            },
          },
        );
        const delivery = { id, headers, body: Buffer.concat(pieces) };
        const { status, message } = await turn(() => receiveDelivery(ctx, delivery, expected.proven()));
        return reply.code(status).header('cache-control', 'no-store').send({ message });
      },
    });
  });
}
