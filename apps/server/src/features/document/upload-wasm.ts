import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../../http/actor.ts';
import { bytesOfUser, keepDocument } from './store.ts';
import { checkedWasm } from './wasm-module.ts';

const MIB = 1024 * 1024;

/**
 * Stores a WebAssembly module for a user.
 * @returns its identifier, the SHA-256 of the bytes as sent (also the module hash once it is installed)
 * @throws AppError invalid_wasm, payload_too_large or quota_reached; nothing is stored then
 */
export async function uploadWasm(
  ctx: AppContext,
  user: Actor,
  content: AsyncIterable<Uint8Array>,
): Promise<string> {
  const room = ctx.config.uploadBytes - (await bytesOfUser(ctx.db, user.id));
  const { hash, size } = await ctx.blobs.put(checkedWasm(within(content, room, ctx.config.uploadBytes)));
  await ctx.transact((tx) => keepDocument(tx, { identifier: hash, userId: user.id, kind: 'wasm', size }));
  return hash;
}

/** Bytes as they come, until there is no more room for them. */
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
        detail: 'The setting is UPLOAD_MB.',
      });
    }
    yield chunk;
  }
}
