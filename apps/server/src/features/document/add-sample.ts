import { Readable } from 'node:stream';
import { counterModule } from '../../builders/motoko/samples.ts';
import type { Actor, AppContext } from '../../context.ts';
import { uploadWasm } from './upload-wasm.ts';

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
