import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer } from '../../src/start-server.ts';
import { ApiClient, Browser, exchange } from '../support/client.ts';
import { NO_NETWORK } from '../support/server.ts';
import { startProduct } from '../support/server-process.ts';

/** Cycles of a canister that has paid for little more than being asked for its status. */
const about = (cycles: number): unknown => expect.closeTo(cycles, -9);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-product-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Process ids of everything a process has started, directly or not. */
function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const fields = readFileSync(`/proc/${entry}/stat`, 'utf8');
      parents.set(Number(entry), Number(fields.slice(fields.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It ended between the listing and the reading.
    }
  }
  const found = [pid];
  for (const parent of found) {
    for (const [child, itsParent] of parents) if (itsParent === parent) found.push(child);
  }
  return found.slice(1);
}

/** A process that has ended but was not waited for yet still has an entry, in state Z. */
const isAlive = (pid: number) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return fields.slice(fields.lastIndexOf(')') + 2, fields.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
};

describe.skipIf(process.platform !== 'linux')('the end of the product', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('after %s no child process stays', async (signal) => {
    const product = await startProduct({ DATA_DIR: join(folder, 'ended') });
    const children = descendants(Number(product.child.pid));
    expect(children.length).toBeGreaterThanOrEqual(2);
    const code = await product.kill(signal);
    if (signal !== 'SIGKILL') expect(code).toBe(0);
    await expect.poll(() => children.filter(isAlive)).toEqual([]);
  });
});

test('the ready line is the only line on standard output, and secrets are readable by their owner only', async () => {
  const dataDir = join(folder, 'quiet');
  const product = await startProduct({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
  expect(product.output).toEqual([`Cannery is ready: ${product.url}`]);
  expect(product.url).toMatch(/^http:\/\/localhost:\d+$/);
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  expect((await stat(join(dataDir, 'ic-identity.json'))).mode & 0o777).toBe(0o600);
  await product.kill('SIGTERM');
});

test('a second product on the same folder, or the same port, is told what to do', async () => {
  const dataDir = await mkdtemp(join(folder, 'twice-'));
  const other = await mkdtemp(join(folder, 'other-'));
  const product = await startProduct({ DATA_DIR: dataDir, IC_URL: NO_NETWORK });
  try {
    await expect(startProduct({ DATA_DIR: dataDir, IC_URL: NO_NETWORK })).rejects.toThrow(
      /already running on .*set DATA_DIR/s,
    );
    const { port } = new URL(product.url);
    await expect(startProduct({ DATA_DIR: other, PORT: port, IC_URL: NO_NETWORK })).rejects.toThrow(
      `Port ${port} is taken by another program`,
    );
    await expect(startProduct({ DATA_DIR: other, NETWORK_PORT: port })).rejects.toThrow(
      `NETWORK_PORT ${port} is taken by another program`,
    );
  } finally {
    await product.kill('SIGTERM');
  }
});

test('a restart forgets nothing: sessions, canisters, balance, and a sign-in that is under way', async () => {
  const options = {
    HOST: '127.0.0.1',
    NETWORK_PORT: 0,
    DATA_DIR: join(folder, 'restarted'),
    LOG_LEVEL: 'silent',
    SECURITY_LOG: 'off',
  };
  const first = await startServer({ ...options, PORT: 0 });
  const ada = await ApiClient.signIn(first.url, 'ada');
  const id = await ada.create('Kept');
  const browser = new Browser();
  const { url } = await browser.follow(`${first.url}/api/auth/google/`);
  await first.close();

  const second = await startServer({ ...options, PORT: new URL(first.url).port });
  const { body } = await ada.get(`/canister/status/${id}/?real_time=true`);
  expect(body).toMatchObject({ id, name: 'Kept', status: 'running', cycles: about(2e12) });
  expect((await ada.get('/getInsights/')).body.balance).toBe(98e12);
  const end = await browser.follow(url.href, { method: 'POST', body: new URLSearchParams({ login: 'bob' }) });
  expect((await exchange(second.url, end.url.searchParams.get('token') ?? '', browser)).status).toBe(200);
  await second.close();
});

test('a killed network is reported by health, started again, and nothing is lost', async () => {
  const server = await startServer({
    HOST: '127.0.0.1',
    PORT: 0,
    NETWORK_PORT: 0,
    DATA_DIR: join(folder, 'network-killed'),
    LOG_LEVEL: 'silent',
    SECURITY_LOG: 'off',
  });
  const ada = await ApiClient.signIn(server.url, 'ada');
  const id = await ada.create('Survivor');
  await ada.post('/canister/topup', { canister_id: id, amount: 3 });
  const health = async () => (await ada.get('/health')).status;
  expect(await health()).toBe(200);

  process.kill(Number(server.networkPid()), 'SIGKILL');
  await expect.poll(health, { interval: 20 }).toBe(503);
  expect((await ada.list('/canister/list/'))[0]).toMatchObject({ id, cycles: about(5e12) });
  // A creation in the meantime waits for the network to come back.
  const during = await ada.create('Patient');
  await expect.poll(health).toBe(200);
  for (const [canister, cycles] of [
    [id, 5e12],
    [during, 2e12],
  ] as const) {
    const { body } = await ada.get(`/canister/status/${canister}/?real_time=true`);
    expect(body).toMatchObject({ status: 'running', cycles: about(cycles) });
  }
  expect((await ada.get('/getInsights/')).body.balance).toBe(93e12);
  await server.close();
});
