import { expect, test } from 'vitest';
import { EMPTY, principal, TestClient } from '../engine-client.ts';
import { LATEST_TIME_NANOS } from '../../src/clock.ts';
import { HOURLY_WAT, POLLING_WAT } from '../canisters/spending-canisters.ts';
import { wat } from '../../../wasm/test/wasm.ts';

const HOUR = 3_600n;
const NANOS = 1_000_000_000n;
const DAY = 24n * HOUR * NANOS;
/** More than the canister has, for as little memory as it uses. */
const FREEZING = { freezing_threshold: 10n ** 12n };
const THAWING = { freezing_threshold: 0n };

/** How often the timer fired, and when last. */
async function count(client: TestClient, id: Uint8Array): Promise<readonly [bigint, bigint]> {
  const reply = await client.query(id, 'count');
  const view = new DataView(reply.buffer, reply.byteOffset);
  return [view.getBigUint64(0, true), view.getBigUint64(8, true)];
}

test('a timer that sets itself again fires at each due time while a week passes', {
  timeout: 60_000,
}, async () => {
  await using client = await TestClient.start({ stopTime: true });
  const start = client.now();
  const id = await client.deploy(wat(HOURLY_WAT), { arg: EMPTY });
  await client.advance(7n * 24n * HOUR + 10n);
  expect(await count(client, id)).toEqual([168n, start + 168n * HOUR * NANOS]);
  expect(client.now()).toBe(start + (7n * 24n * HOUR + 10n) * NANOS);
  // A time that has passed changes nothing.
  await client.engine.setTime(start);
  expect(client.now()).toBe(start + (7n * 24n * HOUR + 10n) * NANOS);
});

test('a canister that asks for randomness over and over does not stop time', {
  timeout: 60_000,
}, async () => {
  await using client = await TestClient.start({ stopTime: true });
  const id = await client.deploy(wat(POLLING_WAT));
  const requestId = await client.submit(id, 'wait', EMPTY);
  // What waits for the next round waits on disk.
  await client.restart();
  await client.advance(3n);
  const outcome = await client.outcome(requestId);
  if (outcome.status !== 'replied') throw new Error(outcome.message);
  const [asked, fired] = new Uint32Array(Uint8Array.from(outcome.reply).buffer);
  expect(fired).toBe(1);
  expect(asked).toBeLessThan(200);
});

test('without the cycles for it a timer waits, and fires when they come', { timeout: 60_000 }, async () => {
  await using client = await TestClient.start({ stopTime: true });
  const id = await client.create({ cycles: 340_000_000_000n, settings: { freezing_threshold: 0n } });
  await client.install(id, wat(HOURLY_WAT));
  await client.management('update_settings', { canister_id: principal(id), settings: FREEZING });
  await client.advance(3n * HOUR);
  expect((await client.status(id))['cycles']).toBeGreaterThan(0n);
  await client.management('update_settings', { canister_id: principal(id), settings: THAWING });
  await expect.poll(async () => (await count(client, id))[0]).toBe(1n);
});

test('a jump is exactly as long as it was asked for, whatever is under way before it and on the way', {
  timeout: 60_000,
}, async () => {
  await using client = await TestClient.start();
  await client.deploy(wat(HOURLY_WAT), { arg: EMPTY });
  const busy = await client.deploy(wat(POLLING_WAT));
  await client.submit(busy, 'wait', EMPTY);
  await client.engine.advanceTime(DAY);
  expect(client.aheadNanos).toBe(DAY);
  await Promise.all([client.engine.advanceTime(DAY), client.engine.advanceTime(1n)]);
  expect(client.aheadNanos).toBe(2n * DAY + 1n);
  await expect(client.engine.advanceTime(LATEST_TIME_NANOS)).rejects.toThrow('that far ahead');
  await client.restart();
  expect(client.aheadNanos).toBe(2n * DAY + 1n);
});

test('time that was set ahead stays ahead over a restart', { timeout: 60_000 }, async () => {
  await using client = await TestClient.start();
  const before = BigInt(Date.now()) * 1_000_000n;
  await client.advance(24n * HOUR);
  const ahead = client.now();
  expect(ahead).toBeGreaterThanOrEqual(before + 24n * HOUR * NANOS);
  await client.restart();
  expect(client.now()).toBeGreaterThanOrEqual(ahead);
  const id = await client.deploy(wat(HOURLY_WAT), { arg: EMPTY });
  await client.advance(HOUR + 1n);
  const [fired, at] = await count(client, id);
  expect(fired).toBe(1n);
  expect(at).toBeGreaterThanOrEqual(ahead + HOUR * NANOS);
});
