import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { Registry } from 'prom-client';
import * as library from 'prom-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger, type Logger } from '../log/logger.ts';
import { showInstruments } from '../metrics/instrument.ts';
import { currentRequestId } from '../log/request-context.ts';
import { AppError } from '../errors.ts';
import { testHttpApp } from './http-app.testing.ts';

const SECRET = 'S3cr3t-S3cr3t-S3cr3t-S3cr3t-S3cr3t';
let registry: Registry;
let lines: Record<string, unknown>[];
let log: Logger;
let port: number;
let close: () => Promise<void>;

beforeEach(async () => {
  registry = new Registry();
  showInstruments(library, registry);
  lines = [];
  log = createLogger({ logLevel: 'trace' }, (line) =>
    lines.push(JSON.parse(line) as Record<string, unknown>),
  );
  const { app, port: bound } = await testHttpApp({ log });
  port = bound;
  close = () => app.close();
  app.get('/thing/:id', async () => currentRequestId());
  app.post('/file', async (request) => {
    const body = await text(request.body as Readable);
    log.warn({ length: body.length }, 'a file has come');
    return currentRequestId();
  });
  app.addContentTypeParser('*', (_request, body, done) => done(null, body));
  app.post('/form', async () => {
    log.warn('a form has come');
    return currentRequestId();
  });
  app.get('/broken', async () => {
    throw new Error(`could not fetch https://user:${SECRET}@example.org/?token=${SECRET}`);
  });
  app.get('/away', async () => {
    throw new AppError('database_unavailable', 'The database cannot be reached.');
  });
  await app.ready();
});
afterEach(() => close());

const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
/** Lines of the text form of a metric, without its comments. */
const valuesOf = async (name: string): Promise<string[]> =>
  (await registry.getSingleMetricAsString(name)).split('\n').filter((one) => !one.startsWith('#'));

test('a thousand made-up addresses and methods are one label, and a pattern is one whatever is in it', async () => {
  for (let at = 0; at < 500; at += 50) {
    const paths = Array.from({ length: 50 }, (_, of) => [
      `/made/up-${at + of}/x`,
      `/thing/${at + of}`,
    ]).flat();
    await Promise.all(paths.map((path) => get(path).then((answer) => answer.text())));
  }
  for (const method of ['BREW', 'PROPFIND', 'PURGE'])
    await new Promise((resolve) =>
      connect(port, '127.0.0.1')
        .once('close', resolve)
        .end(`${method} /made/up HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
        .resume(),
    );
  await expect
    .poll(() => valuesOf('cannery_http_requests_total'))
    .toContain('cannery_http_requests_total{route="/thing/:id",method="GET",status="2xx"} 500');
  const counted = await valuesOf('cannery_http_requests_total');
  expect(counted).toContain('cannery_http_requests_total{route="none",method="GET",status="4xx"} 500');
  expect(counted.length).toBeLessThan(6);
  expect((await registry.metrics()).length).toBeLessThan(40_000);
  expect(await registry.metrics()).not.toContain('/up-');
});

test('each answer names its request, and each line of the log has the name, also once a body has come', async () => {
  const agentless = { 'content-type': 'application/octet-stream' };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      get(at % 2 === 0 ? '/file' : '/form', {
        method: 'POST',
        headers: { 'x-request-id': `request-${at}`, ...agentless },
        body: 'x'.repeat(200_000),
      }),
    ),
  );
  for (const [at, answer] of answers.entries()) {
    expect(answer.headers.get('x-request-id')).toBe(`request-${at}`);
    expect(await answer.text()).toBe(`request-${at}`);
  }
  await expect.poll(() => lines.filter(({ msg }) => msg === 'A request was answered').length).toBe(20);
  for (const at of answers.keys()) {
    const own = lines.filter(({ request_id: id }) => id === `request-${at}`).map(({ msg }) => msg);
    expect(own).toEqual([at % 2 === 0 ? 'a file has come' : 'a form has come', 'A request was answered']);
  }
});

test('a name that cannot be written anywhere is replaced, and names no line', async () => {
  for (const given of [SECRET.repeat(2), 'a\tb-c-d-e-f-g', '{"level":60}', 'short']) {
    const answer = await get('/away', { headers: { 'x-request-id': given } });
    const id = answer.headers.get('x-request-id') ?? '';
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}$/);
    expect(lines.find((line) => line['request_id'] === id)).toMatchObject({ path: '/away' });
  }
  expect(JSON.stringify(lines)).not.toContain(SECRET);
});

test('no credential of a request or of an error gets into the log', async () => {
  const headers = {
    authorization: `Bearer ${SECRET}`,
    cookie: `session=${SECRET}`,
    'x-request-id': `Bearer ${SECRET}`,
    'user-agent': SECRET,
    referer: `https://x/?token=${SECRET}`,
  };
  const paths = ['/broken', `/broken?token=${SECRET}&code=${SECRET}`, `/none/https://u:${SECRET}@host/`];
  for (const path of paths) await (await get(path, { headers })).text();
  await expect.poll(() => lines.filter(({ status }) => status !== undefined).length).toBe(3);
  expect(lines.some(({ msg }) => msg === 'A call failed unexpectedly')).toBe(true);
  expect(JSON.stringify(lines)).not.toContain(SECRET);
});

test('errors are counted by the codes of the contract, and one who leaves as one who left', async () => {
  await (await get('/away')).text();
  await (await get('/broken')).text();
  expect(await valuesOf('cannery_http_errors_total')).toEqual([
    'cannery_http_errors_total{code="database_unavailable"} 1',
    'cannery_http_errors_total{code="internal"} 1',
  ]);
  const socket = connect(port, '127.0.0.1');
  socket.write('POST /file HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\nContent-Type: a/b\r\n\r\nabc');
  await expect
    .poll(() => valuesOf('cannery_http_requests_under_way'))
    .toEqual(['cannery_http_requests_under_way 1']);
  socket.destroy();
  await expect
    .poll(() => valuesOf('cannery_http_requests_total'))
    .toContain('cannery_http_requests_total{route="/file",method="POST",status="aborted"} 1');
});
