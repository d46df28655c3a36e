import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import { bytesOfUser } from './store.ts';

const MIB = 1024 * 1024;

/** Bytes as they come, until the user has no more room for them; the stream then fails with quota_reached. */
export async function withinQuota(
  ctx: AppContext,
  user: Actor,
  content: AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<Uint8Array>> {
  const limit = ctx.config.uploadBytes;
  return within(content, limit - (await bytesOfUser(ctx.db, user.id)), limit);
}

async function* within(
  content: AsyncIterable<Uint8Array>,
  room: number,
  limit: number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > room) {
      throw new AppError('quota_reached', `Your uploads would be more than ${limit / MIB} MiB together.`, {
        detail: 'The operator can change UPLOAD_MB.',
      });
    }
    yield chunk;
  }
}
