import type { CanisterSnapshot, DeployAnswer, HealthCall } from '@cannery/contract';
import { Actor, HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

let client: DeployClient;

beforeAll(async () => {
  client = await startDeployClient();
}, 120_000);
afterAll(() => client?.dispose());

const call: HealthCall = { canister: '', method: 'health', argument: '()', expected: '(true)', deadline: 2 };

/** A counter whose health is an expression. */
const counter = (version: string, health: string, more = ''): string => `persistent actor {
  var count = 0;
  public func add() : async Nat { count += 1; count };
  public query func total() : async Nat { count };
  public query func version() : async Text { "${version}" };
  public query func health() : async Bool { ${health} };
  ${more}
}`;

interface Counter {
  add(): Promise<bigint>;
  total(): Promise<bigint>;
  version(): Promise<string>;
}

async function counterAt(canisterId: string): Promise<Counter> {
  const agent = await HttpAgent.create({ host: client.product.networkUrl, shouldFetchRootKey: true });
  return Actor.createActor<Counter>(
    () =>
      IDL.Service({
        add: IDL.Func([], [IDL.Nat], []),
        total: IDL.Func([], [IDL.Nat], ['query']),
        version: IDL.Func([], [IDL.Text], ['query']),
      }),
    { agent, canisterId },
  );
}

const deployOf = (id: string): Promise<DeployAnswer> => client.ada.call('GET', `/deploy/${id}`);

const configure = (id: string, settings: object): Promise<unknown> =>
  client.ada.call('PATCH', `/deploy/${id}`, settings);

async function snapshotsOf(canister: string): Promise<string[]> {
  const found = await client.ada.call<CanisterSnapshot[]>('GET', `/canister/snapshots/${canister}`);
  return found.map(({ id }) => id);
}

/** A deploy of one counter that has run once. */
async function live(name: string, settings: object = {}): Promise<{ id: string; canister: string }> {
  await client.push(name, { 'main.mo': counter('1', 'true') });
  const id = await client.create(name, 'MOTOKO');
  await configure(id, settings);
  const run = await client.run(id);
  expect(run.status, run.logs ?? '').toBe('COMPLETED');
  const [canister = ''] = (await deployOf(id)).canisters;
  return { id, canister };
}

const lastLine = (logs: string | null): string => (logs ?? '').trimEnd().split('\n').at(-1) ?? '';

const statusOf = async (canister: string): Promise<string> =>
  (await client.ada.call<{ status: string }>('GET', `/canister/details/${canister}`)).status;

test('an upgrade takes a snapshot first, in the place of that of the run before and of no other', async () => {
  const { id, canister } = await live('kept');
  expect(await deployOf(id)).toMatchObject({ snapshots: 'require', health_call: null });
  expect(await snapshotsOf(canister)).toEqual([]);
  await client.ada.call('POST', '/canister/stop', { canister_id: canister });
  await client.ada.call('POST', '/canister/snapshot/take', { canister_id: canister });
  await client.ada.call('POST', '/canister/start', { canister_id: canister });
  const [own = ''] = await snapshotsOf(canister);
  expect(own).not.toBe('');

  await client.push('kept', { 'main.mo': counter('2', 'true') });
  const second = await client.run(id);
  expect(second.status, second.logs ?? '').toBe('COMPLETED');
  const taken = /Snapshot ([0-9a-f]+) of \S+ is taken: .* for 0\.\d+ T of its cycles\./.exec(
    second.logs ?? '',
  )?.[1];
  expect((await snapshotsOf(canister)).toSorted()).toEqual([own, taken].toSorted());
  expect(await statusOf(canister)).toBe('running');

  const third = await client.run(id);
  expect(third.status, third.logs ?? '').toBe('COMPLETED');
  const left = await snapshotsOf(canister);
  expect(left).toHaveLength(2);
  expect(left).toContain(own);
  expect(left).not.toContain(taken);
}, 400_000);

test('a health call that answers otherwise puts code and data back, and the log says so in its last line', async () => {
  const { id, canister } = await live('unwell', { health_call: call });
  const actor = await counterAt(canister);
  await actor.add();
  await client.push('unwell', { 'main.mo': counter('2', 'false') });
  const run = await client.run(id);
  expect(run.status).toBe('FAILED');
  expect(lastLine(run.logs)).toMatch(
    /^Failed: The health call (\S+)\.health answered \(false\), not \(true\)\. The former version is live again: \1\.$/,
  );
  expect(await actor.version()).toBe('1');
  expect(await actor.total()).toBe(1n);
  expect(await statusOf(canister)).toBe('running');
  expect(await snapshotsOf(canister)).toHaveLength(1);
  // The next run that is well goes through, with the data of before.
  await client.push('unwell', { 'main.mo': counter('3', 'true') });
  const next = await client.run(id);
  expect(next.status, next.logs ?? '').toBe('COMPLETED');
  expect(next.logs).toMatch(/The health call \S+\.health answered \(true\)\./);
  expect(await actor.version()).toBe('3');
  expect(await actor.total()).toBe(1n);
  expect(await snapshotsOf(canister)).toHaveLength(1);
}, 400_000);

test('a health call that traps or does not answer in time puts the canister back as well', async () => {
  const { id, canister } = await live('silent', { health_call: { ...call, expected: '' } });
  const actor = await counterAt(canister);
  await client.push('silent', { 'main.mo': counter('2', 'assert false; true') });
  const trapped = await client.run(id);
  expect(lastLine(trapped.logs)).toMatch(/health failed: .*The former version is live again/s);
  expect(await actor.version()).toBe('1');

  const waits =
    'public func wait() : async () { while (version_ == "2") { await nothing() } }; func nothing() : async () {}; transient let version_ = "2";';
  await client.push('silent', { 'main.mo': counter('2', 'true', waits) });
  await configure(id, { health_call: { ...call, method: 'wait', expected: '' } });
  const late = await client.run(id);
  expect(late.logs).toContain('wait did not answer within 2 s');
  expect(late.status).toBe('FAILED');
}, 400_000);

test('a health call that cannot be made ends the run before anything changes', async () => {
  const { id, canister } = await live('cannot');
  await client.push('cannot', { 'main.mo': counter('2', 'true') });
  const cases: [Partial<HealthCall>, RegExp][] = [
    [{ method: 'gone' }, /the interface has no method gone/],
    [{ canister: 'other' }, /there is no canister other with code. The run publishes: main/],
  ];
  for (const [change, reason] of cases) {
    await configure(id, { health_call: { ...call, ...change } });
    const run = await client.run(id);
    expect(lastLine(run.logs)).toMatch(/^Failed: Nothing was changed, since the health call/);
    expect(lastLine(run.logs)).toMatch(reason);
  }
  expect(await (await counterAt(canister)).version()).toBe('1');
  expect(await snapshotsOf(canister)).toEqual([]);
  await expect(configure(id, { health_call: { ...call, argument: '(((' } })).rejects.toThrow(/not Candid/);
  await expect(configure(id, { health_call: { ...call, deadline: 301 } })).rejects.toThrow(/deadline/);
}, 400_000);

test('where no snapshot can be taken, the run stops, or goes on where the settings say so', async () => {
  const { id, canister } = await live('full');
  await client.ada.call('POST', '/canister/stop', { canister_id: canister });
  for (let count = 0; count < 10; count++)
    await client.ada.call('POST', '/canister/snapshot/take', { canister_id: canister });
  await client.ada.call('POST', '/canister/start', { canister_id: canister });
  const own = await snapshotsOf(canister);
  await client.push('full', { 'main.mo': counter('2', 'true') });
  const stopped = await client.run(id);
  expect(stopped.status).toBe('FAILED');
  expect(lastLine(stopped.logs)).toMatch(
    /was not upgraded, since no snapshot of it could be taken: .*10 snapshots/,
  );
  const actor = await counterAt(canister);
  expect(await actor.version()).toBe('1');
  expect(await statusOf(canister)).toBe('running');

  await configure(id, { snapshots: 'try' });
  const passed = await client.run(id);
  expect(passed.status, passed.logs ?? '').toBe('COMPLETED');
  expect(passed.logs).toMatch(
    /Warning: no snapshot of \S+ could be taken, so it cannot go back: .*10 snapshots/,
  );
  expect(await actor.version()).toBe('2');
  expect(await snapshotsOf(canister)).toEqual(own);

  await configure(id, { snapshots: 'off', health_call: call });
  await client.push('full', { 'main.mo': counter('3', 'false') });
  const off = await client.run(id);
  expect(off.status).toBe('FAILED');
  expect(lastLine(off.logs)).toMatch(
    /answered \(false\), not \(true\)\. What cannot go back stays: \S+ \(no snapshot\)\.$/,
  );
  expect(await actor.version()).toBe('3');
}, 400_000);

test('of a project every canister that the run has upgraded goes back when a later one fails', async () => {
  const project = (first: string, second: string): Record<string, string> => ({
    'dfx.json': JSON.stringify({
      canisters: {
        first: { main: 'first.mo' },
        second: { main: 'second.mo' },
        web: { type: 'assets', source: ['web'] },
      },
    }),
    'first.mo': first,
    'second.mo': second,
    'web/index.html': 'hello',
  });
  await client.push('pair', project(counter('1', 'true'), counter('1', 'true')));
  const id = await client.create('pair', 'CUSTOM');
  await configure(id, { health_call: { ...call, canister: 'first' } });
  const installed = await client.run(id);
  expect(installed.status, installed.logs ?? '').toBe('COMPLETED');
  const { parts } = await deployOf(id);
  const idOf = (name: string): string => parts.find((part) => part.name === name)?.canister_id ?? '';
  const [first, second] = [await counterAt(idOf('first')), await counterAt(idOf('second'))];

  await client.push('pair', project(counter('2', 'false'), counter('2', 'true')));
  const run = await client.run(id);
  expect(lastLine(run.logs)).toMatch(
    /health answered \(false\), not \(true\)\. What cannot go back stays: web \(a website\)\. The former version is live again: (first, second|second, first)\.$/,
  );
  expect([await first.version(), await second.version()]).toEqual(['1', '1']);
  expect(await snapshotsOf(idOf('web'))).toEqual([]);

  // The installation of the second one fails, so that the first one does not stay alone with its new code.
  const traps = counter('2', 'true', 'assert false;');
  await client.push('pair', project(counter('2', 'true'), traps));
  const failing = await client.run(id);
  expect(failing.status).toBe('FAILED');
  expect(await first.version()).toBe('1');
  expect(await second.version()).toBe('1');
  expect([await statusOf(idOf('first')), await statusOf(idOf('second'))]).toEqual(['running', 'running']);
  expect(
    [await snapshotsOf(idOf('first')), await snapshotsOf(idOf('second'))].map(({ length }) => length),
  ).toEqual([1, 1]);
}, 500_000);
