import { randomUUID } from 'node:crypto';
import type { AppContext } from '../../context.ts';
import { answerOnce, type NamedRequest } from '../../db/answer-once.ts';
import type { Actor } from '../../http/actor.ts';
import { lockDocument } from '../document/store.ts';
import { findRegistry, insertRegistry, lockRegistry, type RegistryRow, saveRegistry } from './store.ts';
import { AppError } from '../../errors.ts';

/**
 * Keeps an uploaded module under a name, as version 1.
 * @param input.key what the client calls this request: of requests of one key, one is carried out and all get its answer
 * @param input.content what makes the request this one, where more than name and module does
 * @returns the new id
 * @throws AppError not_found for an identifier that is not the user's, quota_reached, or invalid_input for the key of
 * another request
 */
export async function addRegistry(
  ctx: AppContext,
  user: Actor,
  {
    name,
    identifier,
    key,
    content = ['registry.add', name, identifier],
  }: { name: string; identifier: string; key?: string | undefined; content?: NamedRequest['content'] },
): Promise<string> {
  const request = { userId: user.id, key, content };
  const added = await ctx.transact((tx) =>
    answerOnce(tx, request, async () => {
      await lockDocument(tx, { identifier, userId: user.id, kind: 'wasm' });
      const id = randomUUID();
      await insertRegistry(tx, { id, userId: user.id, name, identifier });
      ctx.failpoint('registry.adding');
      return id;
    }),
  );
  ctx.failpoint('registry.added');
  return added;
}

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
