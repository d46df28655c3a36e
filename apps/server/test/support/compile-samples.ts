// Compiles the samples that several test files install, one after the other: tests that begin together would each compile them.
import { counterModule, readSamples, sampleModule } from '../../src/builders/motoko/samples.ts';

const { signal } = new AbortController();
await counterModule(signal);
for (const sample of await readSamples()) {
  for (const version of sample.versions) await sampleModule(sample, version, signal);
}
