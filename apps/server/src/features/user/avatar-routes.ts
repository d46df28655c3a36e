import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { API_BASE } from '../../config/config.ts';
import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { sendPicture } from '../../http/send-picture.ts';
import { untilClosed } from '../../http/until-closed.ts';
import { fetchPicture } from '../../picture/fetch-picture.ts';
import { userTenant } from '../../fairness/callers.ts';
import { redrawPicture } from '../../picture/redraw-picture.ts';
import { avatarKey, findAvatar, keepAvatar, moveAvatars } from './avatar-store.ts';
import { findUser } from './store.ts';

/** Pixels: the largest place is 64 px wide, on screens of two pixels to one. */
const EDGE = 128;
/** For so long a picture that could not be had is not asked for again; milliseconds. */
const GIVE_UP_MS = 10 * 60_000;
/** Pictures fetched at a time. */
const MOST_AT_A_TIME = 4;
const CALLS_PER_MINUTE = 120;

const AVATAR_PATH = `${API_BASE}/avatars`;
const params = z.object({ id: z.uuid() });

/** Where browsers find the picture of a user; null when there is none. */
export function avatarUrl(ctx: AppContext, user: { id: string; avatar: string | null }): string | null {
  if (user.avatar === null || user.avatar === '') return null;
  return `${ctx.addresses.publicUrl}${AVATAR_PATH}/${user.id}?v=${avatarKey(user.avatar)}`;
}

/**
 * Serves the pictures that an identity provider has named for its users, fetched and drawn again by this server: the
 * console's policy lets no other origin show a picture, and no other origin learns who looks at it. An image element
 * carries no bearer token, so a picture is open to whoever knows the user's id.
 */
export function addAvatarRoutes(app: FastifyInstance, ctx: AppContext): void {
  const underWay = new Map<string, Promise<Buffer | undefined>>();
  const failedUntil = new Map<string, number>();
  const { privateHosts } = ctx.config.egress;
  const mayBePrivate = (name: string, port: number): boolean =>
    privateHosts.some((host) => host.name === name && host.port === port);

  const draw = async (userId: string, key: string, address: string): Promise<Buffer | undefined> => {
    try {
      const bytes = await fetchPicture(address, { mayBePrivate });
      const picture = await redrawPicture({ bytes, tenant: userTenant(userId) }, EDGE);
      await keepAvatar(ctx, { userId, key }, picture);
      failedUntil.delete(userId);
      return picture;
    } catch (error) {
      ctx.log.info({ err: error, userId }, 'The picture of a user could not be had');
      failedUntil.set(userId, performance.now() + GIVE_UP_MS);
      return undefined;
    }
  };

  const pictureOf = async (userId: string, address: string): Promise<Buffer | undefined> => {
    const key = avatarKey(address);
    const kept = await findAvatar(ctx, { userId, key });
    if (kept !== undefined) return kept;
    const running = underWay.get(userId);
    if (running !== undefined) return running;
    if ((failedUntil.get(userId) ?? 0) > performance.now() || underWay.size >= MOST_AT_A_TIME)
      return undefined;
    const drawing = draw(userId, key, address).finally(() => underWay.delete(userId));
    underWay.set(userId, drawing);
    return drawing;
  };

  untilClosed(app, {
    work: (isOver) => moveAvatars(ctx, isOver),
    failed: (error) => ctx.log.warn({ err: error }, 'Pictures of users of before could not be moved'),
  });
  app.get(
    `${AVATAR_PATH}/:id`,
    { config: { rateLimit: { max: CALLS_PER_MINUTE, timeWindow: '1 minute' } } },
    async (request, reply) => {
      const { data } = params.safeParse(request.params);
      const user = data && (await findUser(ctx.db, data.id));
      const picture = user?.avatar ? await pictureOf(user.id, user.avatar) : undefined;
      if (picture === undefined) throw notFound('Picture');
      return sendPicture(reply, 'image/png', picture);
    },
  );
}
