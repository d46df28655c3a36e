import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { DeployInstanceAnswer } from '@cannery/contract';
import { createApi, signIn } from '@cannery/dev-env';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';
import { readStream, type StreamedLine, type StreamedLog } from '../support/event-reader.ts';

let client: DeployClient;

beforeAll(async () => {
  client = await startDeployClient({ env: { RATE_LIMIT: '10000' } });
  await client.push('site', { 'index.html': 'site' });
});
afterAll(() => client.dispose());

/** Starts a run of a site that a command builds. */
async function start(command: string): Promise<{ id: string; instanceId: string }> {
  const id = await client.create('site', 'STATIC_SITE', { build_command: command });
  return { id, instanceId: await client.trigger(id) };
}

const stream = (run: { id: string; instanceId: string }, after?: string): Promise<StreamedLog> =>
  readStream(client.product, client.ada, run, after);

async function until(condition: () => boolean, ms = 60_000): Promise<void> {
  for (const end = Date.now() + ms; !condition(); await delay(10)) {
    if (Date.now() > end) throw new Error('waited too long');
  }
}

const textOf = (lines: readonly StreamedLine[]): string => lines.map(({ text }) => text).join('\n');

/** What 95 of 100 values are not above. */
const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN;

test('[DEPD-16] [P11] brings each line a moment after it was printed, with its number, time and phase, and ends with the run', async () => {
  const run = await start('for n in $(seq 40); do date +now=%s%3N; sleep 0.05; done');
  const log = await stream(run);
  expect([log.status, log.type]).toEqual([200, 'text/event-stream; charset=utf-8']);
  await log.over;
  expect(log.end).toEqual({ status: 'COMPLETED' });
  const whole = await client.instance(run.id, run.instanceId);
  expect(textOf(log.lines)).toBe(whole.logs);
  expect(log.lines.map(({ number }) => number)).toEqual(log.lines.map((_, place) => place + 1));
  expect([...new Set(log.lines.map(({ phase }) => phase))]).toEqual(
    [null, 'checkout', 'build', 'publish'].slice(log.lines[0]?.phase === null ? 0 : 1),
  );
  const printed = log.lines.flatMap((line) => {
    const now = /^now=(\d+)$/.exec(line.text)?.[1];
    return now === undefined ? [] : [{ ...line, now: Number(now) }];
  });
  expect(printed).toHaveLength(40);
  for (const { now, printedAt } of printed) expect(Math.abs((printedAt ?? 0) - now)).toBeLessThan(500);
  // A poll every two seconds has a p95 of 1.9 s.
  expect(p95(printed.map(({ now, arrivedAt }) => arrivedAt - now))).toBeLessThan(500);
});

test('goes on behind the line that a reader names, in the middle of a piece too', async () => {
  const run = await start('seq 3000');
  await client.finished(run.id, run.instanceId);
  const whole = await stream(run);
  await whole.over;
  expect(whole.lines.length).toBeGreaterThan(3000);
  for (const known of [1, 17, 1500, whole.lines.length - 1]) {
    const rest = await stream(run, String(known));
    await rest.over;
    const strip = ({ arrivedAt: _here, ...line }: StreamedLine) => line;
    expect(rest.lines.map(strip)).toEqual(whole.lines.slice(known).map(strip));
    expect(rest.end).toEqual({ status: 'COMPLETED' });
  }
  const nothing = await stream(run, whole.lastId);
  await nothing.over;
  expect([nothing.lines, nothing.end]).toEqual([[], { status: 'COMPLETED' }]);
  for (const hostile of ['-1', '1e9', '9999999999', 'x', '1; drop table deploys']) {
    const all = await stream(run, hostile);
    await all.over;
    expect(all.lines).toHaveLength(whole.lines.length);
  }
});

test('reads logs of earlier versions, whose lines have no number and no time', async () => {
  const run = await start('seq 20');
  await client.finished(run.id, run.instanceId);
  const database = new pg.Client(embeddedConnection(client.product.dataDir));
  await database.connect();
  await database.query(
    'update deploy_log_lines set first_line = null, written_at = null, after_ms = null, phase = null where instance_id = $1',
    [run.instanceId],
  );
  await database.end();
  const whole = await stream(run);
  await whole.over;
  expect(textOf(whole.lines)).toBe((await client.instance(run.id, run.instanceId)).logs);
  expect(new Set(whole.lines.map(({ printedAt }) => printedAt))).toEqual(new Set([null]));
  const rest = await stream(run, '7');
  await rest.over;
  expect(textOf(rest.lines)).toBe(textOf(whole.lines.slice(7)));
});

test('[R8] is for the owner, for as long as the session lasts, and four at a time', async () => {
  const run = await start('for n in $(seq 100); do echo $n; sleep 0.1; done');
  const eve = createApi(client.product.url, await signIn(client.product.url, 'eve'));
  expect((await readStream(client.product, eve, run)).status).toBe(404);
  expect((await readStream(client.product, { token: 'x' }, run)).status).toBe(401);

  const other = createApi(client.product.url, await signIn(client.product.url, 'ada'));
  const streams = await Promise.all([1, 2, 3, 4].map(() => readStream(client.product, other, run)));
  const [first] = streams;
  await until(() => (first?.lines.length ?? 0) > 5);
  expect((await stream(run)).status).toBe(429);
  streams.pop()?.close();
  await delay(200);
  const again = await stream(run);
  expect(again.status).toBe(200);

  await other.request('POST', '/auth/logout');
  const signedOutAt = Date.now();
  for (const { over } of streams) await over;
  expect(Date.now() - signedOutAt).toBeLessThan(1_500);
  expect(first?.end).toBeUndefined();
  again.close();
  await client.ada.call('POST', `/deploy/${run.id}/instances/${run.instanceId}/cancel`);
  await client.finished(run.id, run.instanceId);
});

test('[R8] whole logs that are not taken: eight of a user, and one more when one of them has gone', async () => {
  const run = await start('seq -f "line %.0f of a log that is long enough to be worth reading" 90000');
  await client.finished(run.id, run.instanceId);
  const { host, hostname, port } = new URL(client.product.url);
  const path = `/api/deploy/${run.id}/instances/${run.instanceId}`;
  const sockets: Socket[] = [];
  /** Asks for the run and takes the head of the answer only. */
  const ask = async (token: string): Promise<number> => {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    return Number(head.toString('latin1').split(' ')[1]);
  };
  const { token } = client.ada;
  try {
    for (let count = 0; count < 8; count += 1) expect(await ask(token)).toBe(200);
    expect(await ask(token)).toBe(429);
    // What is read piece by piece, and what others do, goes on.
    const log = await stream(run);
    expect(log.status).toBe(200);
    log.close();
    const eve = await signIn(client.product.url, 'eve');
    expect(await ask(eve)).toBe(404);
    sockets[0]?.destroy();
    await expect.poll(() => ask(token)).toBe(200);
    expect(await ask(token)).toBe(429);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  await expect.poll(() => ask(token)).toBe(200);
  sockets.at(-1)?.destroy();
});

test('[API-34] a poll that has the log otherwise asks for the rest only', async () => {
  const run = await start('echo baked');
  await client.finished(run.id, run.instanceId);
  const path = `${client.product.url}/api/deploy/${run.id}/instances/${run.instanceId}`;
  const ask = async (prefer?: string): Promise<DeployInstanceAnswer> => {
    const headers = { authorization: `Bearer ${client.ada.token}`, ...(prefer && { prefer }) };
    return (await (await fetch(path, { headers })).json()) as DeployInstanceAnswer;
  };
  const whole = await ask();
  expect(whole.logs).toContain('baked');
  expect(await ask('return=minimal')).toEqual({ ...whole, logs: null });
  expect(await ask('return=anything')).toEqual(whole);
});
