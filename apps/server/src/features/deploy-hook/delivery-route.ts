import type { FastifyInstance } from 'fastify';
import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { Rates } from '../../fairness/rates.ts';
import { callerGone, senderOf } from '../../http/limits/sender.ts';
import {
  enterUnproven,
  readUnproven,
  takeBodiesAsStreams,
  UNPROVEN_BODY_MS,
} from '../../http/limits/bodies-in-flight.ts';
import { newSecret } from '../../secrets.ts';
import { HOOK_PATH, sealingPlace } from './hook-place.ts';
import { type Decoy, expectDelivery, receiveDelivery } from './receive-delivery.ts';

/** As many pushes at once as somebody makes who pushes all branches; then one a second. */
const OF_HOOK = { perSecond: 1, burst: 100 };
/** A git host sends the deliveries of all its users from few addresses. */
const OF_ADDRESS = { perSecond: 50, burst: 1000 };

/**
 * Counts a delivery before its body is read.
 * @throws AppError rate_limited
 */
type CountDelivery = (hookId: string, address: string) => Promise<void>;

/**
 * Limits deliveries a hook, then an address. What a hook has too much of does not count for the address: one repository
 * cannot use up what its git host may send for the others.
 */
function limitDeliveries(rates: Rates): CountDelivery {
  const hooks = rates.open('deliveries-of-hook', OF_HOOK);
  const addresses = rates.open('deliveries-of-address', OF_ADDRESS);
  return async (hookId, address) => {
    const wait = (await hooks.take(hookId)) || (await addresses.take(address));
    if (wait === 0) return;
    throw new AppError('rate_limited', 'Too many deliveries in a short time.', { retryAfterSeconds: wait });
  };
}

/** Bytes of an event: a push of a thousand commits. */
const EVENT_LIMIT = 1024 * 1024;

/**
 * The address at which git hosts tell of pushes. They have no session: each delivery proves that its sender has the secret
 * of the hook, over the bytes as they come, before any of them are parsed. Nothing is kept of a body that can prove nothing,
 * and of the others no more than a share for each hook and address.
 */
export async function addDeliveryRoute(app: FastifyInstance, ctx: AppContext): Promise<void> {
  const count = limitDeliveries(ctx.callLimiter.rates);
  const decoy: Decoy = { id: 'decoy', sealed: ctx.sealing.sealForNow(newSecret(), sealingPlace('decoy')) };
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
        const proven = expected.proven();
        if (proven === undefined) ctx.security.note('webhook_refused', { webhook: 'deploy' });
        const { status, message } = await turn(() => receiveDelivery(ctx, delivery, proven));
        return reply.code(status).header('cache-control', 'no-store').send({ message });
      },
    });
  });
}
