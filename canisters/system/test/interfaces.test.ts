import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { breakingChanges } from '@cannery/candid';
import { expect, test } from 'vitest';
import { identityCanister } from '../identity/index.ts';
import { readModule, ledgers } from '../index.ts';
import { canisterNames, ledgerNames, moduleUrl, sourcesOf, stampOf, stampUrl } from '../sources.ts';
import versions from '../versions.json' with { type: 'json' };

const DECLARATIONS = new URL('../../../node_modules/@icp-sdk/canisters/declarations/', import.meta.url);
const CLIENTS = ['ledger-icp/ledger.did', 'cycles-ledger/cycles-ledger.did'];

test.each(ledgerNames.map((name, at) => ({ name, ledger: ledgers[at], client: CLIENTS[at] ?? '' })))(
  'the module of $name is that of its sources, and serves the clients of the real one',
  async ({ name, ledger, client }) => {
    if (ledger === undefined) throw new Error('There is no such ledger.');
    const module = await readModule(ledger);
    expect(await readFile(stampUrl(name), 'utf8'), 'run node canisters/system/build.ts').toBe(
      stampOf(await sourcesOf(name), module),
    );
    const sections = WebAssembly.Module.customSections(
      new WebAssembly.Module(gunzipSync(module)),
      'icp:public candid:service',
    );
    const [service] = sections;
    if (service === undefined) throw new Error('The module does not tell its interface.');
    const real = await readFile(new URL(client, DECLARATIONS), 'utf8');
    expect(breakingChanges(real, Buffer.from(service).toString('utf8'))).toEqual([]);
  },
);

test.each(canisterNames)('the stamp of %s is that of its sources and of its module', async (name) => {
  const stamp = stampOf(await sourcesOf(name), await readFile(moduleUrl(name)));
  expect(await readFile(stampUrl(name), 'utf8'), 'run node canisters/system/build.ts').toBe(stamp);
});

test.each([
  ...canisterNames.map((name) => ({ name, module: moduleUrl(name) })),
  { name: 'identity' as const, module: identityCanister.module },
])('the module of $name is the last of its versions', async ({ name, module }) => {
  const hash = createHash('sha256')
    .update(await readFile(module))
    .digest('hex');
  expect(versions[name].at(-1), 'run the build.ts of the canister').toBe(hash);
  expect(new Set(versions[name]).size).toBe(versions[name].length);
});
