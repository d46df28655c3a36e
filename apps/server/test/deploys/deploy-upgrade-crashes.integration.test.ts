import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CanisterSnapshot, DeployAnswer, DeployInstanceAnswer } from '@cannery/contract';
import { Actor, HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { type FaultPoint, faultPoints } from '../../src/fault-points.ts';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';
import { runsEveryCase } from '../support/every-case.ts';

const counter = (version: string): string => `persistent actor {
  var count = 0;
  public func add() : async Nat { count += 1; count };
  public query func total() : async Nat { count };
  public query func version() : async Text { "${version}" };
}`;

const service = () =>
  IDL.Service({
    add: IDL.Func([], [IDL.Nat], []),
    total: IDL.Func([], [IDL.Nat], ['query']),
    version: IDL.Func([], [IDL.Text], ['query']),
  });

const call = { canister: '', method: 'version', argument: '()', deadline: 1 };
/** What no version answers, so that a run with this health call fails. */
const UNWELL = { health_call: { ...call, expected: '("no version")' } };
const WELL = { health_call: { ...call, expected: '' } };

let folder: string;
let dataDir: string;
/** Holds the step at which the running process is to die. */
let faultFile: string;
let client: DeployClient;
let id: string;
let canister: string;
/** Runs that have published a version. */
const runOf = new Map<string, string>();
let count = 0n;

async function launch(env: Record<string, string> = {}): Promise<void> {
  client = await startDeployClient({ dataDir, env: { FAULT_FILE: faultFile, NODE_ENV: 'test', ...env } });
}

/** The process dies when it comes to a step. */
function arm(point: FaultPoint): void {
  writeFileSync(faultFile, point);
}

/** Starts the next process; it comes through every step, unless one is given. */
async function relaunch(env: Record<string, string> = {}, point?: FaultPoint): Promise<void> {
  await client.dispose();
  writeFileSync(faultFile, point ?? '');
  await launch(env);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-upgrade-crashes-'));
  dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  faultFile = join(folder, 'fault');
  writeFileSync(faultFile, '');
  await launch();
  await client.push('counter', { 'main.mo': counter('1') });
  id = await client.create('counter', 'MOTOKO');
  runOf.set('1', (await client.run(id)).id);
  await client.push('counter', { 'main.mo': counter('2') });
  const second = await client.run(id);
  expect(second.status, second.logs ?? '').toBe('COMPLETED');
  runOf.set('2', second.id);
  [canister = ''] = (await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`)).canisters;
}, 240_000);
afterAll(async () => {
  await client?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function actor(): Promise<{
  add(): Promise<bigint>;
  total(): Promise<bigint>;
  version(): Promise<string>;
}> {
  const agent = await HttpAgent.create({ host: client.product.networkUrl, shouldFetchRootKey: true });
  return Actor.createActor(service, { agent, canisterId: canister });
}

/** Goes to the other version while the process is to die at a step; nothing is compiled for it. */
async function dieAt(point: FaultPoint, settings: object): Promise<{ run: string; before: string }> {
  await client.ada.call('PATCH', `/deploy/${id}`, settings);
  const counting = await actor();
  const before = await counting.version();
  count = await counting.add();
  arm(point);
  const source = runOf.get(before === '1' ? '2' : '1');
  const path = `/deploy/${id}/instances/${source}/rollback`;
  const { id: run } = await client.ada.call<{ id: string }>('POST', path, {});
  await died();
  return { run, before };
}

/** Waits until the process that is to die has done so. */
async function died(): Promise<void> {
  for (const end = Date.now() + 60_000; ; await delay(100)) {
    const isUp = await fetch(client.product.url).then(
      () => true,
      () => false,
    );
    if (!isUp) return;
    if (Date.now() > end) throw new Error('The step was never reached.');
  }
}

async function rows(sql: string): Promise<Record<string, unknown>[]> {
  const database = new pg.Client(embeddedConnection(dataDir));
  await database.connect();
  try {
    return (await database.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await database.end();
  }
}

/** The canister runs a version, with its data, and has the one snapshot that the deploy knows of. */
async function expectOrder(version: string): Promise<void> {
  const counting = await actor();
  expect(await counting.version()).toBe(version);
  expect(await counting.total()).toBe(count);
  const details = await client.ada.call<{ status: string }>('GET', `/canister/details/${canister}`);
  expect(details.status).toBe('running');
  const there = await client.ada.call<CanisterSnapshot[]>('GET', `/canister/snapshots/${canister}`);
  const known = await rows('select snapshot_id from automatic_snapshots');
  expect(there.map((one) => one.id)).toEqual(known.map((row) => row.snapshot_id));
  expect(await rows('select * from code_changes')).toEqual([]);
}

const lastLine = ({ logs }: DeployInstanceAnswer): string => (logs ?? '').trimEnd().split('\n').at(-1) ?? '';

const isOfReturn = (point: FaultPoint): boolean =>
  /\.(?:checked|returning|halted|restored|resumed|returned)$/.test(point);
/** Every third where not every case runs. */
const someOf = (points: readonly FaultPoint[]): readonly FaultPoint[] =>
  points.filter((_point, at) => runsEveryCase || at % 3 === 1);
const steps = faultPoints.filter((point) => point.startsWith('deploy.'));

test.for(someOf(steps.filter((point) => !isOfReturn(point))))(
  'killed at %s, the run is completed by the next process and the canister runs with its data',
  { timeout: 240_000 },
  async (point) => {
    const { run, before } = await dieAt(point, WELL);
    await relaunch();
    const ended = await client.finished(id, run);
    expect(ended.status, ended.logs ?? '').toBe('COMPLETED');
    expect(ended.logs).toContain('The server ended unexpectedly');
    await expectOrder(before === '1' ? '2' : '1');
  },
);

test.for(someOf(steps.filter(isOfReturn)))(
  'killed at %s, a run that was not well goes back in the next process',
  { timeout: 240_000 },
  async (point) => {
    const { run, before } = await dieAt(point, UNWELL);
    await relaunch();
    const ended = await client.finished(id, run);
    expect(ended.status).toBe('FAILED');
    expect(lastLine(ended)).toMatch(
      /^Failed: The health call main\.version answered .*The former version is live again: main\.$/,
    );
    await expectOrder(before);
  },
);

test('a snapshot of code that others have put in, adopted after a crash, is not said to be of the deploy', {
  timeout: 240_000,
}, async () => {
  // The books know of no installation of what runs there, as if another controller had made it.
  await rows(`update canisters set origin_hash = '${'00'.repeat(32)}' where id = '${canister}'`);
  const { run, before } = await dieAt('snapshot.answered', WELL);
  const origins = () => rows(`select origin from snapshot_origins where canister_id = '${canister}'`);
  // No worker takes the run up, so that the change is ended by itself.
  await relaunch({ WORKER: 'off' });
  await expect.poll(async () => (await actor()).version().catch(() => 'stopped')).toBe(before);
  await expect.poll(origins).toEqual([{ origin: { kind: 'unknown' } }]);
  await relaunch();
  expect((await client.finished(id, run)).status).toBe('COMPLETED');
  await expectOrder(before === '1' ? '2' : '1');
});

test('killed twice, the run is given up and its canister goes back', { timeout: 300_000 }, async () => {
  const { run, before } = await dieAt('deploy.upgraded', WELL);
  // It takes the run up at once, and may die before anybody has signed in.
  await relaunch({}, 'deploy.installed').catch(() => undefined);
  await died();
  await relaunch();
  const ended = await client.finished(id, run);
  expect(ended.status).toBe('FAILED');
  expect(lastLine(ended)).toMatch(/ended unexpectedly 2 times .*The former version is live again: main\.$/);
  await expectOrder(before);
});

test('a canister that was stopped runs again where no worker takes the run up', {
  timeout: 240_000,
}, async () => {
  const { run, before } = await dieAt('deploy.kept', WELL);
  await relaunch({ WORKER: 'off' });
  await expect.poll(async () => (await actor()).version().catch(() => 'stopped')).toBe(before);
  await expectOrder(before);
  await relaunch();
  expect((await client.finished(id, run)).status).toBe('COMPLETED');
});

test.for(someOf(['create.intended', 'create.answered', 'create.booked']))(
  'killed at %s, canisters start with what the settings say, and each is paid once',
  { timeout: 240_000 },
  async (point) => {
    const name = point.replace('.', '-');
    const module = { type: 'custom', wasm: 'm.wasm', candid: 'm.did' };
    await client.push(name, {
      'dfx.json': JSON.stringify({ canisters: { one: module, two: module } }),
      'm.wasm': '\0asm\x01\0\0\0',
      'm.did': 'service : {}',
    });
    const deploy = await client.create(name, 'CUSTOM');
    await client.ada.call('PATCH', `/deploy/${deploy}`, {
      starting_cycles: [
        { canister: 'one', amount: 3.5 },
        { canister: 'two', amount: 5.25 },
      ],
    });
    const balance = 'select balance::text as left, held::text as held from accounts';
    const [before] = await rows(balance);
    arm(point);
    const { id: run } = await client.ada.call<{ id: string }>('POST', `/deploy/${deploy}/trigger`, {});
    await died();
    await relaunch();
    const ended = await client.finished(deploy, run);
    expect(ended.status, ended.logs ?? '').toBe('COMPLETED');
    const [after] = await rows(balance);
    expect(after?.held).toBe('0');
    expect(BigInt(String(before?.left)) - BigInt(String(after?.left))).toBe(8_750_000_000_000n);
    const { parts } = await client.ada.call<DeployAnswer>('GET', `/deploy/${deploy}`);
    expect(parts.map((part) => part.name).toSorted()).toEqual(['one', 'two']);
    for (const part of parts) {
      const { cycles_exact: left } = await client.ada.call<{ cycles_exact: string }>(
        'GET',
        `/canister/status/${part.canister_id}/?real_time=true`,
      );
      expect(Number(left) / 1e12).toBeCloseTo(part.name === 'one' ? 3.5 : 5.25, 1);
    }
  },
);
