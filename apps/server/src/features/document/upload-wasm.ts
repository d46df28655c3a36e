import { Readable } from 'node:stream';
import { counterModule } from '../../builders/motoko/samples.ts';
import type { AppContext } from '../../context.ts';
import type { Actor } from '../../http/actor.ts';
import { inspectUpload } from './inspect-module.ts';
import { bytesOfTexts, keepFacts } from './learn-facts.ts';
import { storeUpload } from './store-upload.ts';
import { withinQuota } from './upload-quota.ts';
import { checkedWasm } from './wasm-module.ts';

/**
 * Stores a WebAssembly module for a user, if a canister can run it.
 * @returns its identifier, the SHA-256 of the bytes as sent (also the module hash once it is installed), and what its owner
 * should know of it
 * @throws AppError invalid_wasm, payload_too_large or quota_reached; nothing is stored then
 */
export async function uploadWasm(
  ctx: AppContext,
  user: Actor,
  content: AsyncIterable<Uint8Array>,
): Promise<{ identifier: string; warnings: readonly string[] }> {
  const incoming = await ctx.blobs.receive(checkedWasm(withinQuota(ctx, user, content)));
  try {
    const facts = await inspectUpload(user, () => incoming.read());
    const identifier = await storeUpload(ctx, user, {
      kind: 'wasm',
      incoming,
      rowBytes: bytesOfTexts(facts),
      more: (tx) => keepFacts(tx, incoming.hash, facts),
    });
    return { identifier, warnings: facts.warnings };
  } finally {
    await incoming.discard();
  }
}

/** It compiles within seconds, and only once; longer than this no caller waits, in milliseconds. */
const TIMEOUT_MS = 240_000;

/**
 * Gives a user the module that comes with the product, as if they had uploaded it: a counter.
 * @returns its identifier
 * @throws AppError quota_reached, CompileError when it does not compile
 */
export async function addSample(ctx: AppContext, user: Actor): Promise<string> {
  const wasm = await counterModule(AbortSignal.timeout(TIMEOUT_MS));
  const { identifier } = await uploadWasm(ctx, user, Readable.from([wasm], { objectMode: false }));
  return identifier;
}
