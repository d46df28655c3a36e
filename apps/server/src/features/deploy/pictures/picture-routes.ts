import type { FastifyInstance } from 'fastify';
import type { AppContext } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { sendPicture } from '../../../http/send-picture.ts';
import { PICTURE_PATH } from '../../../http/site-pictures.ts';

const CALLS_PER_MINUTE = 240;
/** The longest text of a principal has 63 characters. */
const CANISTER_ID = /^[a-z2-7-]{1,63}$/;

/**
 * Serves the pictures of the websites of deploys. An image element carries no bearer token, so a picture is open to
 * whoever knows the canister, as the website itself is.
 */
export function addPictureRoutes(app: FastifyInstance, ctx: AppContext): void {
  app.get<{ Params: { canisterId: string } }>(
    `${PICTURE_PATH}/:canisterId`,
    { config: { rateLimit: { max: CALLS_PER_MINUTE, timeWindow: '1 minute' } } },
    async (request, reply) => {
      const { canisterId } = request.params;
      const found = CANISTER_ID.test(canisterId)
        ? await ctx.db
            .selectFrom('site_pictures')
            .select('picture')
            .where('canister_id', '=', canisterId)
            .executeTakeFirst()
        : undefined;
      if (found === undefined) throw notFound('Picture');
      return sendPicture(reply, 'image/jpeg', found.picture);
    },
  );
}
