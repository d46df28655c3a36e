import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import { mayReadIcon } from './store.ts';

/**
 * An icon as a data URL. It is always a PNG that this server drew, so nothing of an upload is ever answered as it came.
 * @throws AppError not_found for an identifier that the user may not read
 */
export async function readIcon(ctx: AppContext, user: Actor, identifier: string): Promise<string> {
  if (!(await mayReadIcon(ctx.db, { identifier, userId: user.id }))) throw notFound('Icon');
  const icon = await ctx.blobs.get(identifier);
  return `data:image/png;base64,${icon.toString('base64')}`;
}
