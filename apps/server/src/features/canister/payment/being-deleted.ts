import type { Selectable } from 'kysely';
import { hasLapsed } from '../../../db/lapsed.ts';
import type { Schema } from '../../../db/tables/schema.ts';
import { AppError } from '../../../errors.ts';

/** A process that dies leaves its deletion of a deploy behind for this long at most; milliseconds. */
export const DELETION_LEASE_MS = 30_000;

/** @throws AppError deploy_busy for a deploy that a request is deleting, unless it is the given one */
export function refuseWhileDeleted(
  deploy: Pick<Selectable<Schema['deploys']>, 'deletion_id' | 'deletion_expires_at'>,
  deletionId?: string,
): void {
  const { deletion_id: id, deletion_expires_at: until } = deploy;
  if (id === null || id === deletionId || until === null || hasLapsed(until, DELETION_LEASE_MS)) return;
  throw new AppError('deploy_busy', 'This DApp is being deleted.');
}
