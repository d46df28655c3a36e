import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileMotoko } from '../../../network/test/compile-motoko.ts';
import { ALICE, EMPTY, nat, principal, TestClient } from '../../test/engine-client.ts';
import type { StateStamp } from '../messages.ts';

const SOURCE = (version: number): string => `
import CertifiedData "mo:core/CertifiedData";
import Cycles "mo:core/Cycles";
import Nat "mo:core/Nat";
import Runtime "mo:core/Runtime";
import Time "mo:core/Time";
persistent actor Self {
  var count : Nat = ${version};
  public query func get() : async Nat { count };
  public query func repeats(text : Nat) : async Nat { text };
  public query func time() : async Int { Time.now() };
  public query func balance() : async Nat { Cycles.balance() };
  public composite query func other() : async Nat { await get() };
  public query func fails() : async Nat { Runtime.trap("on purpose") };
  public query func slow() : async Nat { var i = 0; while (i < 60_000_000) { i += 1 }; i };
  public query func slowTime() : async Int { var i = 0; while (i < 60_000_000) { i += 1 }; Time.now() };
  public func inc() : async () { count += 1 };
  public func nothing() : async () {};
  public func certify() : async () { CertifiedData.set("\\01") };
  public func loud() : async () { ignore Self.inc() };
};`;

let client: TestClient;
let canister: Uint8Array;

async function stampOf(method: string, arg = EMPTY, id = canister): Promise<StateStamp | undefined> {
  const query = { sender: ALICE, canisterId: id, method, arg, stamped: true };
  const result = await client.engine.query(query);
  return 'stamp' in result ? result.stamp : undefined;
}

async function current(id = canister): Promise<StateStamp> {
  const stamp = await stampOf('get', EMPTY, id);
  if (!stamp) throw new Error('The answer has no stamp.');
  return stamp;
}

const CYCLES = 100_000_000_000_000n;
const management = (method: string, more: object = {}): Promise<unknown> =>
  client.management(method, { canister_id: principal(canister), ...more });
const install = (mode: object, version: number): Promise<void> =>
  client.install(canister, compileMotoko(SOURCE(version)), { mode });

beforeAll(async () => {
  client = await TestClient.start();
  canister = await client.deploy(compileMotoko(SOURCE(1)), { cycles: CYCLES });
}, 120_000);
afterAll(() => client[Symbol.asyncDispose]());

test('an answer is stamped where it was asked for, and where it depends on the canister and the query only', async () => {
  expect(await stampOf('get')).toBeDefined();
  expect(await stampOf('repeats', nat(7))).toBeDefined();
  // In another thread.
  expect(await stampOf('slow')).toBeDefined();
  for (const method of ['time', 'balance', 'other', 'fails', 'slowTime', 'missing'])
    expect([method, await stampOf(method)]).toEqual([method, undefined]);
  const plain = await client.engine.query({ sender: ALICE, canisterId: canister, method: 'get', arg: EMPTY });
  expect(plain).not.toHaveProperty('stamp');
});

test('a stamp stays current while nothing happens, or only to others', async () => {
  const other = await client.deploy(compileMotoko(SOURCE(1)), { cycles: CYCLES });
  const [mine, theirs] = [await current(), await current(other)];
  expect(theirs.slot).not.toBe(mine.slot);
  await client.update(other, 'inc');
  await client.query(canister, 'get');
  await client.query(canister, 'time');
  await client.advance(60n);
  expect(client.engine.isCurrent(mine)).toBe(true);
  expect(client.engine.isCurrent(theirs)).toBe(false);
  expect(await current()).toEqual(mine);
});

const KEEP = { skip_pre_upgrade: [], wasm_memory_persistence: [{ keep: null }] };
test('an answer of another thread has no stamp when the canister has changed meanwhile', async () => {
  let isSeen = false;
  for (let round = 0; round < 20 && !isSeen; round += 1) {
    const slow = stampOf('slow');
    await client.update(canister, 'inc');
    const stamp = await slow;
    // On a busy machine the other thread may begin when the update is done.
    if (stamp === undefined) isSeen = true;
    else expect(client.engine.isCurrent(stamp)).toBe(true);
  }
  expect(isSeen).toBe(true);
  expect(await stampOf('slow')).toBeDefined();
});

const variables = { settings: { environment_variables: [{ name: 'A', value: 'b' }] } };
let snapshot: unknown;

test.each<[string, () => Promise<unknown>]>([
  ['an update call', () => client.update(canister, 'inc')],
  ['one that changes nothing', () => client.update(canister, 'nothing')],
  ['one that calls another', () => client.update(canister, 'loud')],
  ['certified data', () => client.update(canister, 'certify')],
  ['an environment variable', () => management('update_settings', variables)],
  ['a controller', () => management('update_settings', { settings: { controllers: [principal(ALICE)] } })],
  ['cycles', () => management('provisional_top_up_canister', { amount: 1n })],
  [
    'a snapshot that is taken',
    async () => {
      snapshot = await management('take_canister_snapshot');
    },
  ],
  [
    'a snapshot that is loaded',
    () => management('load_canister_snapshot', { snapshot_id: (snapshot as { id: Uint8Array }).id }),
  ],
  ['an upgrade', () => install({ upgrade: [KEEP] }, 2)],
  ['a new installation', () => install({ reinstall: null }, 3)],
])('%s ends it', async (_what, change) => {
  const before = await current();
  await change();
  expect(client.engine.isCurrent(before)).toBe(false);
  expect((await current()).slot).toBe(before.slot);
});

test('so do a stop, a removal of its code and its deletion, after which there is none', async () => {
  const running = await current();
  await management('stop_canister');
  expect(client.engine.isCurrent(running)).toBe(false);
  expect(await stampOf('get')).toBeUndefined();
  await management('start_canister');
  const started = await current();
  await management('uninstall_code');
  expect(client.engine.isCurrent(started)).toBe(false);
  await install({ install: null }, 1);
  const installed = await current();
  await management('stop_canister');
  await management('delete_canister');
  expect(client.engine.isCurrent(installed)).toBe(false);
  canister = await client.deploy(compileMotoko(SOURCE(1)), { cycles: CYCLES });
  expect((await current()).slot).not.toBe(installed.slot);
});

test('a canister that would be frozen within the time of a stamp gets none', async () => {
  const poor = await client.deploy(compileMotoko(SOURCE(1)), { cycles: CYCLES });
  expect(await stampOf('get', EMPTY, poor)).toBeDefined();
  const { idle_cycles_burned_per_day: perDay, cycles } = await client.status(poor);
  const seconds = ((cycles as bigint) * 86_400n) / (perDay as bigint);
  const settings = { freezing_threshold: seconds - 150n };
  await client.management('update_settings', { canister_id: principal(poor), settings });
  expect(await client.query(poor, 'get')).toBeDefined();
  expect(await stampOf('get', EMPTY, poor)).toBeUndefined();
});

test('nothing is current once the engine has ended', async () => {
  const last = await current();
  const { engine } = client;
  await client.restart();
  expect(engine.isCurrent(last)).toBe(false);
});
