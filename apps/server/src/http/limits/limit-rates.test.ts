import { request } from 'node:http';
import { fastify } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { CallLimiter } from '../../fairness/call-limiter.ts';
import { testHttpApp } from '../http-app.testing.ts';
import { limitRates } from './limit-rates.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A server that lets two calls of an address through, and then one in a minute. */
async function start(trustProxy: string[] | false = false): Promise<string> {
  const { app, port } = await testHttpApp({
    callLimiter: new CallLimiter({ callsPerSecond: 0.02, signInsPerMinute: 100 }),
    trustProxy,
  });
  app.get('/', async () => 'here');
  app.post('/file', { config: { isUpload: true } }, async () => 'taken');
  await app.ready();
  open.push(() => app.close());
  return `http://127.0.0.1:${port}`;
}

const from = (url: string, address: string) => fetch(url, { headers: { 'x-forwarded-for': address } });

test('a refusal is the typed error with a time to come back, for addresses nobody answers at too', async () => {
  const url = await start();
  await fetch(url);
  expect((await fetch(`${url}/nothing`)).status).toBe(404);
  const [refused, absent] = await Promise.all([fetch(url), fetch(`${url}/nothing`)]);
  expect([refused.status, absent.status]).toEqual([429, 429]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1);
  expect(refused.headers.get('cache-control')).toBe('no-store');
  expect(await refused.json()).toMatchObject({
    code: 'rate_limited',
    error: 'Too many calls in a short time: 0.2 a second are allowed.',
    next_step: 'Wait a moment and try again.',
  });
});

test('refusals of the same moment do not come back at the same moment', async () => {
  const url = await start();
  await Promise.all([fetch(url), fetch(url)]);
  const begun = performance.now();
  const times = await Promise.all(
    Array.from({ length: 20 }, async () => {
      expect((await fetch(url)).status).toBe(429);
      return performance.now() - begun;
    }),
  );
  expect(Math.min(...times)).toBeGreaterThan(1000);
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(300);
});

test('uploads count by their bytes, before these are read; other calls go on', async () => {
  const url = await start();
  const upload = () =>
    fetch(`${url}/file`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
  expect((await upload()).status).toBe(200);
  const refused = await upload();
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { code: 'rate_limited', error: 'You have uploaded too much in a short time.' },
  ]);
});

test('X-Forwarded-For opens nothing while no proxy is trusted', async () => {
  const url = await start();
  const answers = await Promise.all(['1.1.1.1', '2.2.2.2', '3.3.3.3'].map((one) => from(url, one)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
});

test('behind a trusted proxy each address counts alone, and only what the proxy wrote is believed', async () => {
  const url = await start(['127.0.0.1']);
  const answers = await Promise.all(
    ['1.1.1.1', '2.2.2.2', '3.3.3.3'].flatMap((one) => [from(url, one), from(url, one)]),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  expect((await from(url, '9.9.9.9, 1.1.1.1')).status).toBe(429);
});

test('who calls on and on without reading refusals holds no more than five hundred of them', async () => {
  const app = fastify();
  // Longer than the calls take on any machine.
  limitRates(app, new CallLimiter({ callsPerSecond: 0.02, signInsPerMinute: 100 }), 600_000);
  app.get('/', async () => 'here');
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  open.push(() => app.close());
  let answered = 0;
  let cut = 0;
  const calls = Array.from({ length: 700 }, () => {
    const call = request(url, { agent: false });
    call.on('response', () => (answered += 1));
    call.on('error', () => (cut += 1));
    return call.end();
  });
  // Two are let through and five hundred held.
  await expect.poll(() => answered + cut, { timeout: 30_000 }).toBe(200);
  expect(answered).toBe(2);
  for (const call of calls) call.destroy();
});
