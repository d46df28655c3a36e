import type { DeployAnswer } from '@cannery/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

let client: DeployClient;

beforeAll(async () => {
  client = await startDeployClient();
}, 120_000);
afterAll(() => client?.dispose());

const dfx = (canisters: Record<string, unknown>): string => JSON.stringify({ canisters });
const works = { main: 'works.mo' };
const files = {
  'works.mo': 'persistent actor { public query func one() : async Nat { 1 } }',
  'empty.wasm': 'x',
};
const wasm = { type: 'custom', wasm: 'empty.wasm', candid: 'a.did' };

describe('a file that is not there ends the run before a canister is paid for', () => {
  test.each([
    {
      name: 'module',
      settings: { 'dfx.json': dfx({ works, a: { ...wasm, wasm: 'wasm/a.wasm' } }), 'a.did': 'service : {}' },
      says: 'Failed: wasm/a.wasm, the module of a, is not in the repository, and no command makes it. Commit it or correct dfx.json, push, and deploy again.',
    },
    {
      name: 'module-in-a-folder',
      settings: { 'dfx.json': dfx({ works, a: { ...wasm, wasm: 'src' } }), 'a.did': '', 'src/a.txt': '' },
      says: 'Failed: src, the module of a, is not a file. Correct dfx.json, push, and deploy again.',
    },
    {
      name: 'prebuilt',
      settings: {
        'icp.yaml':
          'canisters:\n  - name: a\n    recipe:\n      type: "@dfinity/prebuilt@v2"\n      configuration:\n        wasm: dist/a.wasm\n',
      },
      says: 'Failed: dist/a.wasm, the module of a, is not in the repository, and no command makes it. Commit it or correct icp.yaml',
    },
    {
      name: 'interface',
      settings: { 'dfx.json': dfx({ works, a: wasm }) },
      says: 'Failed: a.did, the interface of a, is not in the repository, and no command makes it.',
    },
    {
      name: 'main-file',
      settings: { 'dfx.json': dfx({ works, a: { main: 'src/a.mo' } }) },
      says: 'Failed: src/a.mo, the main file of a, is not in the repository, and no command makes it.',
    },
    {
      name: 'main-file-of-motoko',
      type: 'MOTOKO',
      settings: { 'dfx.json': dfx({ works, a: { main: 'src/a.mo' } }) },
      says: 'Failed: src/a.mo, the main file of a, is not in the repository, and no command makes it.',
    },
    {
      name: 'argument',
      settings: { 'dfx.json': dfx({ works, a: { main: 'works.mo', init_arg_file: 'a.txt' } }) },
      says: 'Failed: dfx.json names the argument file a.txt, which is not there.',
    },
    {
      name: 'website',
      settings: {
        'dfx.json': dfx({ works, site: { type: 'assets', source: ['dist'], dependencies: ['works'] } }),
      },
      says: "Failed: The publish directory 'dist' does not exist, and no build command makes it. Directories present:",
    },
    {
      name: 'hash',
      settings: {
        'icp.yaml': `canisters:\n  - name: a\n    recipe:\n      type: "@dfinity/prebuilt@v2"\n      configuration:\n        wasm: empty.wasm\n        sha256: ${'0'.repeat(64)}\n`,
      },
      says: 'Failed: empty.wasm of a has the SHA-256 ',
    },
  ])('$name', async ({ name, type = 'CUSTOM', settings, says }) => {
    await client.push(name, { ...files, ...(settings as unknown as Record<string, string>) });
    const id = await client.create(name, type);
    const { status, logs } = await client.run(id);
    expect(status, logs ?? '').toBe('FAILED');
    expect(logs?.split('\n').at(-1)).toContain(says);
    expect((await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`)).canisters).toEqual([]);
  });
});

test('what a command of another canister may make is waited for', async () => {
  const make = { type: 'custom', wasm: 'made.wasm', candid: 'made.did', build: ['touch made.wasm made.did'] };
  await client.push('made', { ...files, 'dfx.json': dfx({ first: make, second: { ...make, build: [] } }) });
  const { logs } = await client.run(await client.create('made', 'CUSTOM'));
  expect(logs).toContain('$ touch made.wasm made.did');
  expect(logs).not.toContain('no command makes it');
});
