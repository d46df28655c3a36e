import type { FastifyInstance } from 'fastify';
import type { AppContext } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { sendPicture } from '../../../http/send-picture.ts';
import { PICTURE_PATH } from '../../../http/site-pictures.ts';
import { untilClosed } from '../../../http/until-closed.ts';
import { contentOf, movePictures } from './stored-pictures.ts';

const CALLS_PER_MINUTE = 240;
/** The longest text of a principal has 63 characters. */
const CANISTER_ID = /^[a-z2-7-]{1,63}$/;

/**
 * Serves the pictures of the websites of deploys. An image element carries no bearer token, so a picture is open to
 * whoever knows the canister, as the website itself is.
 */
export function addPictureRoutes(app: FastifyInstance, ctx: AppContext): void {
  untilClosed(app, {
    work: (isOver) => movePictures(ctx, isOver),
    failed: (error) => ctx.log.warn({ err: error }, 'Pictures of websites of before could not be moved'),
  });
  app.get<{ Params: { canisterId: string } }>(
    `${PICTURE_PATH}/:canisterId`,
    { config: { rateLimit: { max: CALLS_PER_MINUTE, timeWindow: '1 minute' } } },
    async (request, reply) => {
      const { canisterId } = request.params;
      const found = CANISTER_ID.test(canisterId)
        ? await ctx.db
            .selectFrom('site_pictures')
            .select(['identifier', 'picture'])
            .where('canister_id', '=', canisterId)
            .executeTakeFirst()
        : undefined;
      const picture = found && (await contentOf(ctx, found));
      if (!picture) throw notFound('Picture');
      return sendPicture(reply, 'image/jpeg', picture);
    },
  );
}
