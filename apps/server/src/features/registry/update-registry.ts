import type { AppContext } from '../../context.ts';
import { answerOnce } from '../../db/answer-once.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import { lockDocument } from '../document/store.ts';
import { findRegistry, lockRegistry, type RegistryRow, saveRegistry } from './store.ts';

/** A version a day for years; what builds one after the other without end meets it. */
export const MOST_VERSIONS = 2_000;

/**
 * Renames a registry and, where another module is given, makes that its next version. The same module again is no new
 * version.
 * @param input.key what the client calls this request: of requests of one key, one is carried out
 * @throws AppError not_found for a registry or an identifier that is not the user's, quota_reached, or invalid_input for
 * the key of another request
 */
export async function updateRegistry(
  ctx: AppContext,
  user: Actor,
  { id, name, identifier, key }: { id: string; name: string; identifier?: string; key?: string },
): Promise<RegistryRow> {
  const request = { userId: user.id, key, content: ['registry.update', id, name, identifier ?? null] };
  await ctx.transact((tx) =>
    answerOnce(tx, request, async () => {
      const before = await lockRegistry(tx, user.id, id);
      const module = identifier ?? before.identifier;
      await lockDocument(tx, { identifier: module, userId: user.id, kind: 'wasm' });
      const version = module === before.identifier ? before.version : before.version + 1;
      if (version > MOST_VERSIONS) {
        throw new AppError(
          'quota_reached',
          `A registry can have ${MOST_VERSIONS} versions. Add a new registry for the next one.`,
        );
      }
      await saveRegistry(tx, before, { ...before, name, version, identifier: module });
      ctx.failpoint('registry.updating');
      return id;
    }),
  );
  ctx.failpoint('registry.updated');
  return findRegistry(ctx.db, user.id, id);
}
