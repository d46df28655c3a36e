import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ALICE, EMPTY, principal, TestClient } from '../../test/engine-client.ts';
import { KEPT_BYTES, keeperWat } from '../../test/canisters/keeper-canister.ts';
import { wat } from '../../../wasm/test/wasm.ts';
import { loadOrCreateKeys } from '@cannery/ic/certification/signatures/keys';
import type { QueryResult } from '../messages.ts';
import type { Outcome } from '@cannery/ic/state-leaves';
import { DurableStore } from '@cannery/store/durable-store';
import { StoreDamagedError } from '@cannery/store/files/errors';
import { SubnetEngine } from './subnet-engine.ts';

/** Files of a data folder in which a bit has turned over, or which lost their end: none of it is served. */

const DAMAGED = { code: 'IC0521', message: expect.stringContaining('is damaged') };
const AREAS = ['heap', 'stable'] as const;

let world: string;
let ids: Uint8Array[];
let expected: Map<string, string>;
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Two canisters of one module and one of another, some of what they hold in page files and some in the log. */
beforeAll(async () => {
  await using client = await TestClient.start();
  const first = await client.deploy(wat(keeperWat('first')));
  ids = [first, await client.deploy(wat(keeperWat('first'))), await client.deploy(wat(keeperWat('other')))];
  await client.management('take_canister_snapshot', {
    canister_id: principal(first),
    replace_snapshot: [],
    uninstall_code: [],
    sender_canister_version: [],
  });
  await client.restart();
  for (const id of ids) {
    await client.update(id, 'change');
    await client.update(id, 'change_stable');
  }
  expected = new Map();
  for (const id of ids)
    for (const area of AREAS)
      expected.set(`${ids.indexOf(id)} ${area}`, base64(await client.query(id, area)));
  // As a crash would leave it.
  world = mkdtempSync(join(tmpdir(), 'cannery-world-'));
  copyWorld(client.configuration.dataDir, world);
});
afterAll(() => rmSync(world, { recursive: true }));

function copyWorld(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    filter: (path) => !/^(owner\..*|control\.sock)$/.test(basename(path)),
  });
}

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cannery-damage-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

interface Found {
  /** Why the folder was not opened. */
  readonly refused?: string;
  /** What each canister answers for each area: as it was, damaged, or anything else. */
  readonly answers: ReadonlyMap<string, string>;
}

/** Opens the folder in this thread, reads everything, and closes it again, which writes a checkpoint. */
async function readAll(): Promise<Found> {
  let store: DurableStore;
  try {
    store = DurableStore.open(directory);
  } catch (error) {
    if (error instanceof StoreDamagedError) return { refused: error.message, answers: new Map() };
    throw error;
  }
  const failures: unknown[] = [];
  let engine: SubnetEngine;
  try {
    const configuration = {
      dataDir: directory,
      rootKeyDer: new Uint8Array(133),
      subnetId: ALICE,
      stackMb: 4,
    };
    engine = new SubnetEngine(
      store,
      configuration,
      () => undefined,
      (error) => failures.push(error),
    );
  } catch (error) {
    await store.close();
    if (error instanceof StoreDamagedError) return { refused: error.message, answers: new Map() };
    throw error;
  }
  const answers = new Map<string, string>();
  for (const [index, canisterId] of ids.entries()) {
    for (const method of AREAS) {
      const key = `${index} ${method}`;
      answers.set(key, told(await engine.query({ sender: ALICE, canisterId, method, arg: EMPTY }), key));
    }
  }
  await engine.close();
  expect(failures).toEqual([]);
  return { answers };
}

function told(result: QueryResult | Outcome, key: string): string {
  if (result.status === 'replied') return base64(result.reply) === expected.get(key) ? 'right' : 'wrong';
  return result.status === 'rejected' && result.errorCode === 'IC0521' ? 'damaged' : JSON.stringify(result);
}

const canistersIn = (answers: Found['answers'], what: string): Set<string> =>
  new Set([...answers].filter(([, answer]) => answer === what).map(([key]) => key[0] ?? ''));

/** Numbers that are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 0x7fff_ffff;
    return state % below;
  };
}

/** How many canisters a damaged file of each kind may touch; none where the whole folder is refused instead. */
const KINDS = [
  { name: 'page files', of: /^pages\//, flips: 70, touches: 1, atLeast: 25 },
  { name: 'modules and chunks', of: /^blobs\//, flips: 30, touches: 2, atLeast: 30 },
  { name: 'the index', of: /^index\.sqlite/, flips: 60, touches: 0, atLeast: 5 },
  { name: 'the redo log', of: /^log\//, flips: 35, touches: 0, atLeast: 15 },
  { name: 'what is derived', of: /^derived\//, flips: 10, touches: 0, atLeast: 0 },
] as const;

describe('a bit that turned over', { timeout: 120_000 }, () => {
  test.each(KINDS)('in $name is found, and nobody else suffers', async ({ of, flips, touches, atLeast }) => {
    const random = numbers(20_261_122);
    const files = readdirSync(world, { recursive: true, encoding: 'utf8' }).filter(
      (path) => of.test(path) && statSync(join(world, path)).isFile() && statSync(join(world, path)).size > 0,
    );
    expect(files.length).toBeGreaterThan(0);
    let detected = 0;
    for (let round = 0; round < flips; round += 1) {
      rmSync(directory, { recursive: true, force: true });
      copyWorld(world, directory);
      // What is derived from a module is used in place of it.
      if (touches === 2) rmSync(join(directory, 'derived'), { recursive: true });
      const path = files[random(files.length)] ?? '';
      const bytes = readFileSync(join(directory, path));
      const at = random(bytes.length);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random(8)), at);
      writeFileSync(join(directory, path), bytes);

      const { refused, answers } = await readAll();
      const where = `${path} at ${at}`;
      if (refused !== undefined) {
        // A file that belongs to all: the sentence names it and says what to do.
        expect(touches, where).toBe(0);
        expect(refused, where).toContain(basename(path).replace(/-(wal|shm)$/, ''));
        expect(refused, where).toMatch(/restore the latest backup/);
        detected += 1;
        continue;
      }
      const others = [...answers].filter(([, answer]) => answer !== 'right' && answer !== 'damaged');
      expect(others, where).toEqual([]);
      const hit = canistersIn(answers, 'damaged').size;
      expect(hit, where).toBeLessThanOrEqual(touches);
      detected += Math.min(hit, 1);
      // Closing wrote a checkpoint: what was damaged must not have become right by it.
      if (hit > 0 && round % 5 === 0) expect((await readAll()).answers, where).toEqual(answers);
    }
    expect(detected).toBeGreaterThanOrEqual(atLeast);
  });

  test('in the keys is found at the start', async () => {
    await loadOrCreateKeys(directory);
    const path = join(directory, 'network-keys.json');
    const written = readFileSync(path);
    const { rootKey, nodeId, rootSecretKey } = await loadOrCreateKeys(directory);
    let refused = 0;
    for (let at = 0; at < written.length; at += 3) {
      const bytes = Buffer.from(written);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (at % 7)), at);
      writeFileSync(path, bytes);
      const loaded = await loadOrCreateKeys(directory).catch((error: Error) => error);
      if (!(loaded instanceof Error))
        expect(loaded, `at ${at}`).toMatchObject({ rootKey, nodeId, rootSecretKey });
      else if (loaded.name === 'KeyFileError') refused += 1;
      else throw loaded;
    }
    expect(refused).toBeGreaterThan(written.length / 3 / 2);
  });
});

test.each(['missing', 'cut short'])(
  'a page file that is %s takes its canister out of use only',
  async (how) => {
    copyWorld(world, directory);
    const pages = join(directory, 'pages');
    const [file = ''] = readdirSync(pages).toSorted();
    const path = join(pages, file);
    if (how === 'missing') rmSync(path);
    else writeFileSync(path, readFileSync(path).subarray(0, 3 * 4096));
    const { answers } = await readAll();
    expect([...canistersIn(answers, 'damaged')]).toHaveLength(1);
    expect(new Set(answers.values())).toEqual(new Set(['right', 'damaged']));
    // The checkpoint at the end wrote newer pages into the same file: what was lost are no zeros.
    expect((await readAll()).answers).toEqual(answers);
  },
);

test('a damaged canister refuses every call and can be reinstalled or deleted; the others go on', async () => {
  await using client = await TestClient.start();
  const module = wat(keeperWat('first'));
  const [a, b, c] = [await client.deploy(module), await client.deploy(module), await client.deploy(module)];
  await client.close();
  const { dataDir } = client.configuration;
  // Heaps are written in the order of creation, each canister's stable memory beside its heap.
  for (const name of readdirSync(join(dataDir, 'pages'))) {
    const bytes = readFileSync(join(dataDir, 'pages', name));
    if (bytes.length > 0 && Number.parseInt(name, 10) <= 4)
      writeFileSync(join(dataDir, 'pages', name), bytes.fill(0x55));
  }
  await client.open();
  for (const id of [a, b]) {
    await expect(client.query(id, 'heap')).rejects.toMatchObject(DAMAGED);
    await expect(client.update(id, 'change')).rejects.toMatchObject(DAMAGED);
    await expect(client.management('canister_status', { canister_id: principal(id) })).resolves.toBeDefined();
  }
  expect(await client.query(c, 'heap')).toHaveLength(KEPT_BYTES);
  await client.update(c, 'change');

  await client.install(a, module, { mode: { reinstall: null } });
  await client.management('stop_canister', { canister_id: principal(b) });
  await client.management('delete_canister', { canister_id: principal(b) });
  await client.restart();
  expect(await client.query(a, 'heap')).toHaveLength(KEPT_BYTES);
  await client.update(a, 'change_stable');
  await client.update(c, 'change_stable');
});
