import type { AppContext } from '../../context.ts';
import type { Actor } from '../../http/actor.ts';
import { announceBlob, keepDocument } from './store.ts';
import { checkedWasm } from './wasm-module.ts';
import { withinQuota } from './within-quota.ts';

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
  const { hash, size } = await ctx.blobs.put(checkedWasm(await withinQuota(ctx, user, content)));
  await ctx.transact(async (tx) => {
    await announceBlob(tx, hash);
    await keepDocument(tx, { identifier: hash, userId: user.id, kind: 'wasm', size });
  });
  return hash;
}
