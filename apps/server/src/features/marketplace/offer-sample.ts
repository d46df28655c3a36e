import { Readable } from 'node:stream';
import { readSampleIcon, readSamples, sampleModule } from '../../builders/motoko/samples.ts';
import type { Actor, AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { uploadIcon } from '../document/icons.ts';
import { uploadWasm } from '../document/upload-wasm.ts';
import { findOffered } from './store.ts';
import { submitDapp } from './submit-dapp.ts';
import { updateDapp } from './update-dapp.ts';

/** A sample compiles within seconds; longer than this no caller waits, in milliseconds. */
const TIMEOUT_MS = 240_000;

/**
 * Puts a sample dapp with all its versions into the marketplace, as one of the user. One that the user has there already
 * stays as it is.
 * @returns its id
 * @throws AppError not_found for a name that no sample has, CompileError when one does not compile
 */
export async function offerSample(ctx: AppContext, user: Actor, name: string): Promise<string> {
  const sample = (await readSamples()).find((one) => one.name === name);
  if (sample === undefined) throw notFound('Sample');
  const earlier = await findOffered(ctx.db, user.id, sample.name);
  if (earlier !== undefined) return earlier;

  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { identifier: icon } = await uploadIcon(ctx, user, bytesOf(await readSampleIcon(sample)));
  let id: string | undefined;
  for (const version of sample.versions) {
    const module = await sampleModule(sample, version, signal);
    const { identifier: wasm } = await uploadWasm(ctx, user, bytesOf(module));
    const { version: number, notes } = version;
    if (id === undefined) {
      const { kind, description } = sample;
      const said = { name: sample.name, description, git_url: null, sample: sample.name };
      id = await submitDapp(ctx, user, { ...said, icon, kind, wasm, version: number, notes }, undefined);
    } else {
      await updateDapp(ctx, user, { id, key: undefined, wasm, version: number, notes });
    }
  }
  if (id === undefined) throw notFound('Sample');
  return id;
}

function bytesOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  return Readable.from([bytes], { objectMode: false });
}
