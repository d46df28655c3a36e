import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Principal } from '@icp-sdk/core/principal';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect, deploy } from '../test/agent.ts';
import { compileMotoko } from '../test/compile-motoko.ts';
import { COUNTER_SOURCE, counter } from '../test/canisters/counter.ts';
import { NetworkProcess, runCommand } from '../test/network-process.ts';

let folder: string;
const networks: NetworkProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-maintenance-'));
});

afterEach(async () => {
  await Promise.all(networks.splice(0).map((network) => network.end('SIGKILL')));
  rmSync(folder, { recursive: true, force: true });
});

const within = (name: string): string => join(folder, name);

async function start(name: string): Promise<NetworkProcess & { url: string }> {
  const network = await NetworkProcess.start(within(name));
  networks.push(network);
  return network;
}

async function succeed(...args: readonly string[]): Promise<string> {
  const { code, output, errors } = await runCommand(...args);
  expect(errors).toBe('');
  expect(code).toBe(0);
  return output;
}

async function refuse(words: string, ...args: readonly string[]): Promise<void> {
  const { code, errors } = await runCommand(...args);
  expect(errors).toContain(words);
  expect(code).toBe(1);
}

async function countOf(network: { url: string }, canister: Principal): Promise<bigint> {
  return counter(await connect(network.url), canister).get();
}

test('a backup of a running network is one of a moment, and is restored with its keys', async () => {
  const network = await start('data');
  const agent = await connect(network.url);
  const canister = await deploy(agent, compileMotoko(COUNTER_SOURCE));
  const actor = counter(agent, canister);
  const before = await actor.inc();
  let isOver = false;
  let calls = 0n;
  const calling = (async () => {
    for (; !isOver; calls += 1n) await actor.inc();
  })();
  expect(await succeed('backup', within('data'), '--to', within('backup'))).toContain('restore');
  isOver = true;
  await calling;
  await refuse('exists already', 'backup', within('data'), '--to', within('backup'));
  const after = await actor.inc();
  expect(after).toBe(before + calls + 1n);

  await succeed('restore', within('backup'), '--to', within('restored'));
  const restored = await start('restored');
  expect((await connect(restored.url)).rootKey).toEqual(agent.rootKey);
  const count = await countOf(restored, canister);
  expect(count).toBeGreaterThanOrEqual(before);
  expect(count).toBeLessThan(after);
  // The original went on, and the backup can be used again.
  expect(await countOf(network, canister)).toBe(after);
  await succeed('restore', within('backup'), '--to', within('again'));
  expect(await countOf(await start('again'), canister)).toBe(count);
  await refuse('not empty', 'restore', within('backup'), '--to', within('again'));
});

test('a stopped network is backed up, even killed, and a damaged backup is not restored', async () => {
  const network = await start('data');
  const agent = await connect(network.url);
  const canister = await deploy(agent, compileMotoko(COUNTER_SOURCE));
  await counter(agent, canister).inc();
  await network.end('SIGKILL');
  await succeed('backup', within('data'), '--to', within('backup'));
  const [name = ''] = readdirSync(within('backup/pages'));
  const path = within(`backup/pages/${name}`);
  const bytes = readFileSync(path);
  // The first byte of content behind the page of check values: a hole is never read, so it cannot be damaged.
  const at = bytes.findIndex((byte, position) => position >= 4_096 && byte !== 0);
  writeFileSync(path, bytes.with(at, (bytes[at] ?? 0) ^ 0x80));
  await refuse('is damaged', 'restore', within('backup'), '--to', within('restored'));
  expect(existsSync(within('restored'))).toBe(false);
  writeFileSync(path, bytes);
  await succeed('restore', within('backup'), '--to', within('restored'));
  expect(await countOf(await start('restored'), canister)).toBe(1n);
  expect(readdirSync(folder).filter((each) => each.includes('incomplete'))).toEqual([]);
});

test("a reset deletes what is the network's and only with consent, never under a running network", async () => {
  const network = await start('data');
  const { rootKey } = await connect(network.url);
  writeFileSync(within('data/notes.txt'), 'mine');
  await refuse('is in use by process', 'reset', within('data'), '--yes');
  await network.end();
  await refuse('--yes', 'reset', within('data'));
  await refuse('not the data folder', 'reset', folder, '--yes');
  expect(existsSync(within('data/network-keys.json'))).toBe(true);
  await succeed('reset', within('data'), '--yes');
  expect(readdirSync(within('data'))).toEqual(['notes.txt']);
  const fresh = await start('data');
  expect((await connect(fresh.url)).rootKey).not.toEqual(rootKey);
});

test('what is no data folder or no backup is refused by name', async () => {
  await refuse('There is no folder', 'backup', within('none'), '--to', within('backup'));
  await refuse('not the data folder', 'backup', folder, '--to', within('backup'));
  await refuse('There is no backup', 'restore', within('none'), '--to', within('restored'));
  writeFileSync(within('file'), '');
  await refuse('needs --to', 'restore', folder);
  expect(readdirSync(folder)).toEqual(['file']);
});
