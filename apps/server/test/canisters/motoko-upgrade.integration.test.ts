import { createRequire } from 'node:module';
import { Actor, HttpAgent } from '@icp-sdk/core/agent';
import type { IDL } from '@icp-sdk/core/candid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';

const SOURCE = `
persistent actor class Counter(start : Nat) {
  var count : Nat = start;
  public func inc() : async Nat { count += 1; count };
}`;

interface Compiler {
  write(name: string, source: string): void;
  setPublicMetadata(names: readonly string[]): void;
  wasm(name: string, mode: 'ic'): { wasm: Uint8Array };
}

function compile(): Uint8Array {
  const loaded = createRequire(import.meta.url)('motoko') as Compiler & { default?: Compiler };
  const compiler = loaded.default ?? loaded;
  compiler.write('Main.mo', SOURCE);
  compiler.setPublicMetadata(['candid:service', 'candid:args']);
  return compiler.wasm('Main.mo', 'ic').wasm;
}

let server: RunningServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('[API-12] a Motoko canister takes its arguments as text, and an upgrade keeps its memory', async () => {
  const ada = await ApiClient.signIn(server.url, 'ada');
  const id = await ada.create('Counter');
  const identifier = await ada.uploadWasm(compile());
  const install = (mode: string, argument: string) =>
    ada.post('/canister/install', { canister_id: id, identifier, mode, argument });
  const idl: IDL.InterfaceFactory = ({ IDL }) => IDL.Service({ inc: IDL.Func([], [IDL.Nat], []) });
  const agent = await HttpAgent.create({ host: server.networkUrl, shouldFetchRootKey: true });
  const counter = Actor.createActor<{ inc(): Promise<bigint> }>(idl, { agent, canisterId: id });

  expect((await install('install', '("five")')).body).toMatchObject({ code: 'invalid_input' });
  expect((await install('install', '(5)')).status).toBe(200);
  expect(await counter.inc()).toBe(6n);
  const upgraded = await install('upgrade', '(5)');
  expect(upgraded.body.error).toBeUndefined();
  expect(await counter.inc()).toBe(7n);
  expect((await install('reinstall', '(40)')).status).toBe(200);
  expect(await counter.inc()).toBe(41n);
});
