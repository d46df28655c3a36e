import { Readable } from 'node:stream';
import { readSampleIcon, readSamples, type SampleDapp, sampleModule } from '../../builders/motoko/samples.ts';
import type { Actor, AppContext } from '../../context.ts';
import type { Tx } from '../../db/tx.ts';
import { notFound } from '../../errors.ts';
import { uploadIcon } from '../document/icons.ts';
import { uploadWasm } from '../document/upload-wasm.ts';
import { findOffered, insertSample } from './store.ts';
import { requireOwnDocuments } from './submit-dapp.ts';
import { insertVersion } from './version-store.ts';

/** A sample compiles within seconds; longer than this no caller waits, in milliseconds. */
const TIMEOUT_MS = 240_000;

/**
 * Puts a sample dapp with all its versions into the marketplace, as one of the user. One that is there already stays as it is,
 * whoever has put it there.
 * @returns its id
 * @throws AppError not_found for a name that no sample has, quota_reached, CompileError when one does not compile
 */
export async function offerSample(ctx: AppContext, user: Actor, name: string): Promise<string> {
  const sample = (await readSamples()).find((one) => one.name === name);
  if (sample === undefined) throw notFound('Sample');
  // That spares the compilation; whether the sample is there, its insertion decides.
  const earlier = await findOffered(ctx.db, sample.name);
  if (earlier !== undefined) return earlier;

  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { identifier: icon } = await uploadIcon(ctx, user, bytesOf(await readSampleIcon(sample)));
  const versions: CompiledVersion[] = [];
  for (const version of sample.versions) {
    const module = await sampleModule(sample, version, signal);
    const { identifier } = await uploadWasm(ctx, user, bytesOf(module));
    versions.push({ version: version.version, notes: version.notes, identifier });
  }
  return ctx.transact((tx) => keepSample(tx, user, { sample, icon, versions }));
}

interface CompiledVersion {
  readonly version: string;
  readonly notes: string;
  /** Of its document. */
  readonly identifier: string;
}

interface CompiledSample {
  readonly sample: SampleDapp;
  readonly icon: string;
  /** Oldest first. */
  readonly versions: readonly CompiledVersion[];
}

/** The dapp and its versions come at once: nobody sees, and no crash leaves, a part of them. */
async function keepSample(tx: Tx, user: Actor, compiled: CompiledSample): Promise<string> {
  const { sample, icon, versions } = compiled;
  for (const { identifier: wasm } of versions) await requireOwnDocuments(tx, user.id, { wasm, icon });
  const newest = versions.at(-1);
  if (newest === undefined) throw notFound('Sample');
  const { name, description, kind } = sample;
  const { identifier: wasm, version } = newest;
  const by = { userId: user.id, username: user.username };
  const dapp = { ...by, name, description, gitUrl: null, icon, kind, wasm, version };
  const dappId = await insertSample(tx, dapp, name);
  if (dappId === undefined) {
    // It may have left the marketplace since it was in the way.
    return (await findOffered(tx, name)) ?? keepSample(tx, user, compiled);
  }
  for (const { identifier, ...said } of versions) await insertVersion(tx, { dappId, ...said, identifier });
  return dappId;
}

function bytesOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  return Readable.from([bytes], { objectMode: false });
}
