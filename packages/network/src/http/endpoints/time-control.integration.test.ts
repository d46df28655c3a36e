import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLocalNetwork, type LocalNetwork, type LocalNetworkOptions } from '../../local-network.ts';

const HOUR = 3_600_000_000_000n;
const folders: string[] = [];
const networks: LocalNetwork[] = [];

async function start(options: Partial<LocalNetworkOptions>): Promise<LocalNetwork> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cannery-time-'));
  folders.push(dataDir);
  const network = await createLocalNetwork({ dataDir, port: 0, ...options });
  networks.push(network);
  return network;
}

let open: LocalNetwork;
beforeAll(async () => {
  open = await start({ allowTimeControl: true });
}, 30_000);
afterAll(async () => {
  for (const network of networks) await network.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${open.url}/_/time`, { method: 'POST', body: JSON.stringify(body), headers });

const timeOf = async (response: Response): Promise<bigint> =>
  BigInt(((await response.json()) as { timeNanos: string }).timeNanos);

test('another process reads the time and sets it ahead', async () => {
  const before = await timeOf(await fetch(`${open.url}/_/time`));
  const later = await timeOf(await post({ advanceSeconds: 3_600 }));
  expect(later).toBeGreaterThanOrEqual(before + HOUR);
  const wanted = later + 5n * HOUR;
  expect(await timeOf(await post({ timeNanos: wanted.toString() }))).toBeGreaterThanOrEqual(wanted);
  expect(open.now()).toBeGreaterThanOrEqual(wanted);
  await open.advanceTime(HOUR);
  expect(await timeOf(await fetch(`${open.url}/_/time`))).toBeGreaterThanOrEqual(wanted + HOUR);
});

test('what asks for nothing sensible, and web pages, are refused', async () => {
  const tooFar = [{ advanceSeconds: Number.MAX_SAFE_INTEGER }, { timeNanos: '9000000000000000001' }];
  const senseless = [{}, [], null, { advanceSeconds: -1 }, { advanceSeconds: 0.5 }, { timeNanos: 5 }];
  for (const body of [...senseless, ...tooFar]) expect((await post(body)).status).toBe(400);
  await expect(open.setTime(2n ** 63n)).rejects.toThrow(RangeError);
  expect((await post({ advanceSeconds: 1 }, { origin: 'http://evil.localhost' })).status).toBe(403);
  expect((await fetch(`${open.url}/_/time`, { method: 'DELETE' })).status).toBe(405);
});

test('nobody may set the time of a network that was not made for it', async () => {
  const closed = await start({});
  const before = closed.now();
  const response = await fetch(`${closed.url}/_/time`, {
    method: 'POST',
    body: JSON.stringify({ advanceSeconds: 86_400 }),
  });
  expect(response.ok).toBe(false);
  expect(closed.now()).toBeLessThan(before + HOUR);
});
