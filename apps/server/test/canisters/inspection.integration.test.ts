import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { type ModuleInspection, moduleInspection } from '@cannery/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';

const EMPTY_MODULE = Uint8Array.from([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);

interface Compiler {
  write(name: string, source: string): void;
  setPublicMetadata(names: readonly string[]): void;
  wasm(name: string, mode: 'ic'): { wasm: Uint8Array };
}

function compile(source: string): Uint8Array {
  const compiler = createRequire(import.meta.url)('motoko') as Compiler;
  compiler.write('Main.mo', source);
  compiler.setPublicMetadata(['candid:service', 'candid:args', 'motoko:stable-types']);
  return compiler.wasm('Main.mo', 'ic').wasm;
}

let server: RunningServer;
let ada: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  ada = await ApiClient.signIn(server.url, 'ada');
});
afterAll(() => server.close());

async function inspect(id: string, wasm: Uint8Array): Promise<ModuleInspection & { identifier: string }> {
  const identifier = await ada.uploadWasm(wasm);
  const { status, body } = await ada.post('/canister/inspect', { canister_id: id, identifier });
  if (status !== 200) throw new Error(`inspect: ${status} ${body.error}`);
  return { ...moduleInspection.parse(body), identifier };
}

test('a module is looked into before it is installed, and compared with the installed one', async () => {
  const id = await ada.create('Inspected');
  const first = compile(`
persistent actor class Counter(start : Nat, owner : { name : Text }) {
  var count : Nat = start;
  var title : Text = owner.name;
  public func inc(by : Nat) : async Nat { count += by; count };
  public query func read() : async Text { title };
}`);
  const packed = gzipSync(first);
  const before = await inspect(id, packed);
  expect(before).toMatchObject({
    module_hash: before.identifier,
    size: packed.length,
    unpacked_size: first.length,
    gzip: true,
    candid: expect.stringContaining('inc: (by: nat) -> (nat)'),
    keeps_memory: true,
    already_installed: false,
    upgrade: null,
  });
  expect(before.methods.updates).toContain('inc');
  expect(before.methods.queries).toContain('read');
  expect(before.metadata).toEqual(expect.arrayContaining(['candid:service', 'motoko:stable-types']));
  expect(before.init_args).toMatch(/^service : \(.*nat.*record.*name : text.*\) -> \{\}$/);

  const { identifier } = before;
  const misfit = await ada.post('/canister/install', {
    canister_id: id,
    identifier,
    argument_hex: '4449444c0000',
  });
  expect([misfit.status, misfit.body.error]).toEqual([
    400,
    'The install arguments do not fit: argument 1 of type `nat` is expected, and not optional.',
  ]);
  const argument = '(5, record { name = "Ada" })';
  const installed = await ada.post('/canister/install', { canister_id: id, identifier, argument });
  expect(installed.body.error).toBeUndefined();
  expect(await inspect(id, packed)).toMatchObject({
    already_installed: true,
    upgrade: { candid: { verdict: 'compatible' }, stable_memory: { verdict: 'compatible' } },
  });

  const breaking = compile(`
persistent actor class Counter(start : Nat) {
  var count : Text = debug_show start;
  public func inc(by : Text) : async Text { count #= by; count };
}`);
  expect((await inspect(id, breaking)).upgrade).toEqual({
    candid: {
      verdict: 'breaking',
      reasons: [
        expect.stringMatching(/^The method `inc` refuses calls .*`nat` comes where `text` is expected\.$/),
        expect.stringMatching(/^The method `inc` answers .*`text` comes where `nat` is expected\.$/),
        'The method `read` is gone.',
      ],
    },
    stable_memory: {
      verdict: 'breaking',
      reasons: [
        expect.stringMatching(/stable variable `count` is not compatible/),
        expect.stringMatching(/stable variable `title` .* discarded/),
      ],
    },
  });

  const bare = await inspect(id, EMPTY_MODULE);
  expect(bare).toMatchObject({
    methods: { updates: [], queries: [], composite_queries: [] },
    candid: null,
    init_args: null,
    metadata: [],
    keeps_memory: false,
    upgrade: {
      candid: { verdict: 'unknown', reason: 'The new code does not say its Candid interface.' },
      stable_memory: { verdict: 'breaking', reasons: [expect.stringContaining('main memory')] },
    },
  });
  // Nothing of this has changed the canister.
  expect((await ada.get(`/canister/status/${id}?real_time=true`)).body.module_hash).toBe(identifier);
});

test('a module of somebody else, or none at all, is not found', async () => {
  const id = await ada.create('Mine');
  const bob = await ApiClient.signIn(server.url, 'bob');
  const identifier = await bob.uploadWasm(Buffer.concat([EMPTY_MODULE, Buffer.from([0, 2, 1, 121])]));
  for (const unknown of [identifier, 'ff'.repeat(32), '../../etc/passwd']) {
    expect((await ada.post('/canister/inspect', { canister_id: id, identifier: unknown })).status).toBe(404);
  }
});
