import { expect, test } from 'vitest';
import { readSamples, sampleModule } from '../../src/builders/motoko/samples.ts';

test('a sample is compiled once: its module is there for the next product without the compiler', async () => {
  const sample = (await readSamples()).find(({ folder }) => folder === 'poll');
  const version = sample?.versions[0];
  if (sample === undefined || version === undefined) throw new Error('There is no sample poll.');
  const wasm = await sampleModule(sample, version, new AbortController().signal);
  // The compiler does not start under a signal that has fired.
  expect(Buffer.from(await sampleModule(sample, version, AbortSignal.abort()))).toEqual(Buffer.from(wasm));
  const other = { ...version, main: `other-${version.main}` };
  await expect(sampleModule(sample, other, AbortSignal.abort())).rejects.toThrow();
}, 400_000);
