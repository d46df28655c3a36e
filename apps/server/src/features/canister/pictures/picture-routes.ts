import { canisterPictureEndpoints } from '@cannery/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AppContext } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { type Route, route } from '../../../http/route.ts';
import { sendPicture } from '../../../http/send-picture.ts';
import { TAKEN_PICTURE_PATH } from '../../../http/site-pictures.ts';
import { orderPicture, readPicture } from './order-picture.ts';

const CALLS_PER_MINUTE = 240;
/** The longest text of a principal has 63 characters. */
const params = z.object({
  canisterId: z.string().regex(/^[a-z2-7-]{1,63}$/),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
});

export function canisterPictureRoutes(ctx: AppContext): Route[] {
  return [
    route(canisterPictureEndpoints.readPicture, ({ user, params: { id } }) => readPicture(ctx, user, id)),
    route(canisterPictureEndpoints.orderPicture, async ({ user, body: { canister_id: id } }) => {
      await orderPicture(ctx, user, id);
      return readPicture(ctx, user, id);
    }),
  ];
}

/**
 * Serves the pictures of canisters. An image element carries no bearer token, so a picture is open to whoever has its address, which
 * is told to the owner of the canister only.
 */
export function addTakenPictureRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.get(
    `${TAKEN_PICTURE_PATH}/:canisterId/:digest`,
    { config: { rateLimit: { max: CALLS_PER_MINUTE, timeWindow: '1 minute' } } },
    async (request, reply) => {
      const { data } = params.safeParse(request.params);
      const found =
        data &&
        (await ctx.db
          .selectFrom('canister_pictures')
          .select('picture')
          .where('canister_id', '=', data.canisterId)
          .where('digest', '=', data.digest)
          .executeTakeFirst());
      if (found === undefined) throw notFound('Picture');
      return sendPicture(reply, 'image/jpeg', found.picture);
    },
  );
}
