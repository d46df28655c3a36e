import type { AppContext } from '../../context.ts';
import type { Actor } from '../../http/actor.ts';
import { keepDocument } from './store.ts';
import { checkedWasm } from './wasm-module.ts';

/**
 * Stores a WebAssembly module for a user.
 * @returns its identifier, the SHA-256 of the bytes as sent (also the module hash once it is installed)
 * @throws AppError invalid_wasm or payload_too_large; nothing is stored then
 */
export async function uploadWasm(
  ctx: AppContext,
  user: Actor,
  content: AsyncIterable<Uint8Array>,
): Promise<string> {
  const { hash, size } = await ctx.blobs.put(checkedWasm(content));
  await ctx.transact((tx) => keepDocument(tx, { identifier: hash, userId: user.id, kind: 'wasm', size }));
  return hash;
}
