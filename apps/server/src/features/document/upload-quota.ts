import { sql } from 'kysely';
import type { AppContext } from '../../context.ts';
import { Quota, type Reservation } from '../../db/quota.ts';
import type { Tx } from '../../db/tx.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import { type DocumentName, ownsDocument } from './store.ts';

const MIB = 1024 * 1024;

/** A document before it is kept. */
export interface NewDocument extends DocumentName {
  /** Bytes that count against the quota. */
  readonly size: number;
}

const quota = new Quota({
  name: 'uploads',
  used: (userId) => sql<number>`coalesce((select sum(size) from documents where user_id = ${userId}), 0)`,
  refusal: (limit) =>
    new AppError('quota_reached', `Your uploads would be more than ${limit / MIB} MiB together.`, {
      detail: 'The operator can change UPLOAD_MB.',
    }),
});

/** What a user has already takes no more room. */
function shareOf(ctx: Pick<AppContext, 'config'>, document: NewDocument) {
  return {
    userId: document.userId,
    limit: ctx.config.uploadBytes,
    adds: async (tx: Tx) => ((await ownsDocument(tx, document)) ? 0 : document.size),
  };
}

/** Bytes as they come, until the user has no more room for them; the stream then fails with quota_reached. */
export function withinQuota(
  ctx: Pick<AppContext, 'config' | 'db'>,
  user: Actor,
  content: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  return quota.cut(ctx.db, { userId: user.id, limit: ctx.config.uploadBytes }, content);
}

/** Keeps room for a document whose content is about to be put into the blob store. @throws AppError quota_reached */
export function reserveUpload(
  ctx: Pick<AppContext, 'config' | 'transact'>,
  document: NewDocument,
): Promise<Reservation> {
  return quota.reserve(ctx.transact, shareOf(ctx, document));
}

/**
 * Notes that a user owns a document; the same content uploaded twice is one document.
 * @throws AppError quota_reached when its room was reserved too long ago, and others have it by now
 */
export function keepDocument(
  ctx: Pick<AppContext, 'config'>,
  tx: Tx,
  document: NewDocument,
  reservation: Reservation,
): Promise<void> {
  const { identifier, userId, kind, size } = document;
  return quota.add(tx, { ...shareOf(ctx, document), reservation }, async () => {
    await tx
      .insertInto('documents')
      .values({ identifier, user_id: userId, kind, size })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'kind', 'identifier']).doUpdateSet({ uploaded_at: sql`now()` }),
      )
      .execute();
  });
}
