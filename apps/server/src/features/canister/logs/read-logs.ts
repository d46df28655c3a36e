import type { canisterLogPage } from '@cannery/contract';
import type { z } from 'zod';
import type { AppContext } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import type { Actor } from '../../../http/actor.ts';
import { findLogRecords, keepLogRecords, nextLogIndex } from './log-records.ts';
import { findCanister } from '../core/store.ts';

/** A canister's log is fetched at most this often, in milliseconds. */
const FETCH_MS = 2_000;

/**
 * What a canister of the user wrote, newest first. New records are fetched from the network on the way; when that
 * does not answer, what is stored is all there is to show.
 */
export async function readLogs(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string; search?: string; before?: string; limit: number },
): Promise<z.output<typeof canisterLogPage>> {
  const { id } = await findCanister(ctx.db, user.id, input.canisterId);
  if (input.before === undefined) await fetchNew(ctx, id);
  const { search = '', before, limit } = input;
  const rows = await findLogRecords(ctx.db, id, { search, before, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    records: shown.map((row) => ({
      index: String(row.idx),
      timestamp: row.written_at.toISOString(),
      content: row.content,
    })),
    next: rows.length > limit && last !== undefined ? String(last.idx) : null,
  };
}

async function fetchNew(ctx: AppContext, canisterId: string): Promise<void> {
  const taken = await ctx.db
    .updateTable('canisters')
    .set({ logs_fetched_at: new Date() })
    .where('id', '=', canisterId)
    .where((where) =>
      where.or([
        where('logs_fetched_at', 'is', null),
        where('logs_fetched_at', '<', new Date(Date.now() - FETCH_MS)),
        // The clock has been put back since.
        where('logs_fetched_at', '>', new Date(Date.now() + FETCH_MS)),
      ]),
    )
    .returning('id')
    .executeTakeFirst();
  if (taken === undefined) return;
  try {
    const records = await ctx.ic.logs(canisterId, await nextLogIndex(ctx.db, canisterId));
    await ctx.transact((tx) => keepLogRecords(tx, canisterId, records));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log.warn({ err: error, canisterId }, 'The log of a canister could not be fetched');
  }
}
