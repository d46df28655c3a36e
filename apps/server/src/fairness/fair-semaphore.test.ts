import { expect, test } from 'vitest';
import { FairSemaphore } from './fair-semaphore.ts';

const limits = { most: 4, perTenant: 3, waitingPerTenant: 100, what: 'calls' };
const soon = () => new Promise((resolve) => setImmediate(resolve));

test('no more than allowed run at once, of one tenant and in all; all run, and a failure gives its turn on', async () => {
  const turns = new FairSemaphore(limits);
  const running = new Map<string, number>();
  let most = 0;
  let mostOfOne = 0;
  const work = Array.from({ length: 60 }, (_, index) => {
    const tenant = index < 45 ? 't0' : 't1';
    return turns.take(tenant, async () => {
      running.set(tenant, (running.get(tenant) ?? 0) + 1);
      most = Math.max(
        most,
        [...running.values()].reduce((a, b) => a + b),
      );
      mostOfOne = Math.max(mostOfOne, ...running.values());
      await soon();
      running.set(tenant, (running.get(tenant) ?? 0) - 1);
      if (index % 4 === 0) throw new Error(`${index}`);
    });
  });
  const ended = await Promise.allSettled(work);
  expect([most, mostOfOne]).toEqual([4, 3]);
  expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(15);
  expect(await turns.take('t0', async () => 'again')).toBe('again');
});

test('a tenant with a backlog keeps nobody waiting: free places go round', async () => {
  const turns = new FairSemaphore({ ...limits, most: 2, perTenant: 2 });
  const order: string[] = [];
  const run = (tenant: string) =>
    turns.take(tenant, async () => {
      order.push(tenant);
      await soon();
    });
  const all = [...Array.from({ length: 90 }, () => run('a')), run('b'), run('c'), run('b')];
  await Promise.all(all);
  expect(order.lastIndexOf('b')).toBeLessThan(9);
  expect(order.indexOf('c')).toBeLessThan(6);
});

test('what goes beyond the line of a tenant is refused with a time to come back, and nobody else is', async () => {
  const turns = new FairSemaphore({ ...limits, most: 1, perTenant: 1, waitingPerTenant: 2 });
  const gate = Promise.withResolvers<void>();
  const mine = Array.from({ length: 3 }, () => turns.take('a', () => gate.promise));
  await expect(turns.take('a', async () => 'too much')).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 2,
  });
  const other = turns.take('b', async () => 'served');
  gate.resolve();
  expect(await other).toBe('served');
  await Promise.all(mine);
});

test('a caller that goes away leaves the line', async () => {
  const turns = new FairSemaphore({ ...limits, most: 1, perTenant: 1 });
  const gate = Promise.withResolvers<void>();
  const first = turns.take('a', () => gate.promise);
  const gone = new AbortController();
  const left = turns.take('a', async () => expect.unreachable(), gone.signal);
  gone.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  gate.resolve();
  await first;
  expect(await turns.take('a', async () => 'free')).toBe('free');
});

test('nothing is kept of tenants who went away before their turn: who comes again is behind those who came meanwhile', async () => {
  const turns = new FairSemaphore({ ...limits, most: 1, perTenant: 1 });
  const gate = Promise.withResolvers<void>();
  const first = turns.take('busy', () => gate.promise);
  const tenants = Array.from({ length: 100 }, (_, index) => `t${index}`);
  const gone = new AbortController();
  const left = tenants.map((tenant) => turns.take(tenant, async () => expect.unreachable(), gone.signal));
  gone.abort(new Error('gone'));
  expect((await Promise.allSettled(left)).every(({ status }) => status === 'rejected')).toBe(true);
  const served: string[] = [];
  // A line that was kept would keep its old place in the round.
  const backwards = tenants.toReversed();
  const again = backwards.map((tenant) => turns.take(tenant, async () => void served.push(tenant)));
  gate.resolve();
  await Promise.all([first, ...again]);
  expect(served).toEqual(backwards);
});
