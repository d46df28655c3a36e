import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Connection, SILENCE_MS, STREAM_SILENCE_MS } from './connection.ts';

beforeEach(() => vi.useFakeTimers({ now: Date.UTC(2024, 2, 5, 22, 3) }));
afterEach(() => vi.useRealTimers());

/** A service that is there or not, and one that takes questions and answers none. */
type Service = 'there' | 'away' | 'silent';

/** A connection to a service, with the times at which it was asked, in milliseconds from the beginning. */
function connect(first: Service) {
  const start = Date.now();
  const world = { service: first, askedAt: [] as number[] };
  const connection = new Connection({
    now: Date.now,
    reach: async (timeoutMs) => {
      world.askedAt.push(Date.now() - start);
      if (world.service === 'silent') await new Promise((resolve) => setTimeout(resolve, timeoutMs));
      return world.service === 'there';
    },
  });
  return { connection, world };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a call that fails alone is no loss', async () => {
  const { connection, world } = connect('there');
  connection.failed();
  await pass(10_000);
  expect(connection.get()).toEqual({ is: 'there' });
  expect(world.askedAt).toEqual([0]);
});

test('a call that fails while the service is away is a loss at once, of the time of the last success', async () => {
  const { connection, world } = connect('there');
  connection.answered(true);
  const seenAt = Date.now();
  await pass(60_000);
  connection.answered(false);
  world.service = 'away';
  connection.failed();
  await pass(0);
  expect(connection.get()).toEqual({ is: 'lost', seenAt });
});

test('without any success there is no time to tell', async () => {
  const { connection } = connect('away');
  connection.failed();
  await pass(0);
  expect(connection.get()).toEqual({ is: 'lost', seenAt: undefined });
});

test('many calls that fail at once ask one question', async () => {
  const { connection, world } = connect('silent');
  for (let call = 0; call < 50; call += 1) connection.failed();
  await pass(1_900);
  expect(world.askedAt).toEqual([0]);
});

test('a lost service is asked again later and later, two seconds apart at most, and a third after an answer not at all', async () => {
  const { connection, world } = connect('away');
  connection.failed();
  await pass(9_000);
  expect(world.askedAt).toEqual([0, 500, 1_500, 3_500, 5_500, 7_500]);
  world.service = 'there';
  await pass(2_000);
  expect(connection.get()).toEqual({ is: 'there' });
  await pass(60_000);
  expect(world.askedAt).toHaveLength(7);
});

test.each(['away', 'silent'] as const)('a service that was %s is found within three seconds', async (was) => {
  for (let offset = 0; offset < 4_000; offset += 250) {
    const { connection, world } = connect(was);
    connection.failed();
    await pass(20_000 + offset);
    expect(connection.get().is).toBe('lost');
    world.service = 'there';
    await pass(3_000);
    expect(connection.get().is, `came back ${offset} ms later`).toBe('there');
  }
});

test('an answer of any call ends the loss, a refusal as well', async () => {
  const { connection } = connect('away');
  connection.failed();
  await pass(0);
  connection.answered(false);
  expect(connection.get()).toEqual({ is: 'there' });
});

test('a question that stays open while another call is answered is no loss', async () => {
  const { connection } = connect('silent');
  connection.failed();
  await pass(1_000);
  connection.answered(true);
  await pass(1_500);
  expect(connection.get()).toEqual({ is: 'there' });
});

test('a page on show asks after a silence, and not while calls are answered', async () => {
  const { connection, world } = connect('there');
  const watch = async (ms: number): Promise<void> => {
    for (let at = 0; at < ms; at += 500) {
      await pass(500);
      connection.watch();
    }
  };
  for (let call = 0; call < 5; call += 1) {
    connection.answered(true);
    await watch(SILENCE_MS - 500);
  }
  expect(world.askedAt).toEqual([]);
  await watch(SILENCE_MS);
  expect(world.askedAt).toHaveLength(1);
  const close = connection.holds();
  await watch(STREAM_SILENCE_MS - 3_000);
  expect(world.askedAt, 'a stream that is open tells of the end itself').toHaveLength(1);
  close();
  world.service = 'away';
  await watch(500);
  expect(connection.get().is).toBe('lost');
});

test('the clock of requests that may have happened stands still while there is no connection', async () => {
  const { connection, world } = connect('away');
  const from = connection.connectedMs();
  await pass(1_000);
  connection.failed();
  await pass(600_000);
  expect(connection.connectedMs() - from).toBe(1_000);
  world.service = 'there';
  await pass(2_000);
  const back = connection.connectedMs() - from;
  await pass(5_000);
  expect(connection.connectedMs() - from).toBe(back + 5_000);
  expect(back).toBeLessThan(3_100);
});

test('watchers are told once of a loss and once of its end', async () => {
  const { connection, world } = connect('away');
  const told: string[] = [];
  connection.subscribe(() => told.push(connection.get().is));
  connection.failed();
  await pass(30_000);
  world.service = 'there';
  await pass(30_000);
  expect(told).toEqual(['lost', 'there']);
});
