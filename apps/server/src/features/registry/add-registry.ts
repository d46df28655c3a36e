import { randomUUID } from 'node:crypto';
import type { AppContext } from '../../context.ts';
import { answerOnce, type NamedRequest } from '../../db/answer-once.ts';
import type { Actor } from '../../http/actor.ts';
import { lockDocument } from '../document/store.ts';
import { insertRegistry } from './store.ts';

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
