import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, processes } from '@cannery/dev-env';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

/** What an operator sees of the product, started as an operator starts it. */

const docs = fileURLToPath(new URL('../../../../docs/operations', import.meta.url));
/** An answer of /ready or /live is there within this time, whatever hangs; milliseconds. */
const MOST_MS = 2_000;

let client: DeployClient;
let door: string;

beforeAll(async () => {
  const port = await freePort();
  door = `http://127.0.0.1:${port}`;
  client = await startDeployClient({ env: { METRICS_PORT: String(port), LOG_LEVEL: 'debug' } });
});
afterAll(() => client.dispose());

/** Values of the metrics, by name and labels as they are written. */
async function scrape(): Promise<Map<string, number>> {
  const answer = await fetch(`${door}/metrics`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

/** Names of all metrics that are told of, also those without a value. */
async function metricNames(): Promise<ReadonlySet<string>> {
  const text = await (await fetch(`${door}/metrics`)).text();
  return new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
}

interface Ready {
  readonly status: string;
  readonly checks: Readonly<Record<string, { ok: boolean; reason?: string; ms: number }>>;
}

async function ready(): Promise<{ status: number; body: Ready; ms: number }> {
  const begun = performance.now();
  const answer = await fetch(`${door}/ready`);
  const body = (await answer.json()) as Ready;
  return { status: answer.status, body, ms: performance.now() - begun };
}

/** Objects of the log. */
function logged(): Record<string, unknown>[] {
  const lines = client.product.output().split('\n');
  return lines
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const sum = (values: Map<string, number>, prefix: string): number =>
  [...values].reduce((all, [name, value]) => (name.startsWith(prefix) ? all + value : all), 0);

let runId = '';

test('what users do moves the numbers of the server and of its network', async () => {
  const before = await scrape();
  const named = { 'x-request-id': 'create-canister-1' };
  const { status } = await client.ada.request('POST', '/canister/create', { name: 'ovens' }, named);
  expect(status).toBe(200);
  await client.push('bakery', { 'site/index.html': '<!doctype html><title>Bakery</title>' });
  const id = await client.create('bakery', 'STATIC_SITE', { publish_directory: 'site' });
  const run = await client.ada.request(
    'POST',
    `/deploy/${id}/trigger`,
    {},
    { 'x-request-id': 'trigger-run-1' },
  );
  runId = (run.body as { id: string }).id;
  expect((await client.finished(id, runId)).status).toBe('COMPLETED');
  expect((await client.page(id)).status).toBe(200);
  expect((await client.page(id)).status).toBe(200);
  await client.ada.request('GET', '/no/such/call');
  const grows: readonly [string, number][] = [
    ['cannery_http_requests_total{route="/api/canister/create",method="POST",status="2xx"}', 1],
    ['cannery_http_request_duration_seconds_count{route="/api/canister/create",method="POST"}', 1],
    ['cannery_http_errors_total{code="not_found"}', 1],
    ['cannery_database_query_duration_seconds_count', 20],
    ['cannery_ic_requests_total{kind="call",result="ok"}', 2],
    ['cannery_git_pushes_total{result="taken"}', 1],
    ['cannery_runs_ended_total{status="COMPLETED"}', 1],
    ['cannery_run_duration_seconds_count{status="COMPLETED"}', 1],
    ['cannery_builds_total{type="STATIC_SITE",result="built"}', 1],
    ['cannery_jobs_total{queue="deploy-instance",result="done"}', 1],
    ['cannery_blob_operations_total{operation="keep",result="ok"}', 1],
    ['cannery_notices_heard_total', 1],
    ['cannery_network_canisters', 2],
    ['cannery_network_messages_total', 4],
    ['cannery_network_instructions_total', 1_000],
    ['cannery_network_rounds_total', 2],
    ['cannery_network_http_requests_total{kind="call",result="ok"}', 2],
    ['cannery_network_http_request_duration_seconds_count{kind="call"}', 2],
    ['cannery_network_pages_total{how="made"}', 1],
  ];
  // A scrape is used again for a second.
  await expect
    .poll(async () => {
      const after = await scrape();
      return grows.filter(([name, by]) => sum(after, name) - sum(before, name) < by).map(([name]) => name);
    })
    .toEqual([]);
  const after = await scrape();
  for (const [name, least] of [
    ['process_resident_memory_bytes', 1e7],
    ['process_open_fds', 10],
    ['nodejs_heap_size_used_bytes', 1e6],
    ['cannery_network_resident_bytes', 1e7],
    ['cannery_disk_free_bytes', 1],
    ['cannery_ready{check="database"}', 1],
    ['cannery_ready{check="worker"}', 1],
    ['cannery_notice_connection_up', 1],
    ['cannery_database_connections{state="idle"}', 1],
  ] as const)
    expect(after.get(name), name).toBeGreaterThanOrEqual(least);
  for (const name of [
    'cannery_builds_under_way',
    'cannery_jobs_under_way',
    'cannery_payments_open{state="uncertain"}',
    'cannery_queue_jobs{queue="deploy-instance",state="waiting"}',
    'cannery_runs_open{status="RUNNING"}',
  ])
    expect([name, after.get(name)]).toEqual([name, 0]);
});

test('a request has one name from its answer over the run to the network, and no line has a credential', async () => {
  const ofNetwork = (id: string) =>
    logged().filter(({ part, request_id }) => part === 'network' && request_id === id);
  await expect.poll(() => ofNetwork('create-canister-1').length).toBeGreaterThan(0);
  expect(ofNetwork('create-canister-1')).toContainEqual(
    expect.objectContaining({ asked_for: 'call', status: 200, ms: expect.any(Number) }),
  );
  // What a run publishes, its worker asks the network for in the name of the call that started it.
  expect(ofNetwork('trigger-run-1').length).toBeGreaterThan(2);
  expect(logged()).toContainEqual(
    expect.objectContaining({ request_id: 'trigger-run-1', route: '/api/deploy/:id/trigger', status: 200 }),
  );
  const { token } = client.ada;
  await client.ada.request('GET', `/no/${token}?token=${token}`, undefined, {
    'x-request-id': token,
    cookie: `s=${token}`,
  });
  await fetch(`${client.product.url}/ada/none.git/info/refs?service=git-upload-pack`, {
    headers: { authorization: `Basic ${Buffer.from(`ada:${token}`).toString('base64')}` },
  });
  await expect.poll(() => logged().some(({ route }) => route === '/:owner/:repo/info/refs')).toBe(true);
  const output = client.product.output();
  for (const form of [token, Buffer.from(`ada:${token}`).toString('base64')])
    expect(output).not.toContain(form);
});

test('made-up addresses and names become no values, and nothing of it is on a public port', async () => {
  const before = [...(await scrape()).keys()].length;
  const { url, networkUrl } = client.product;
  for (let at = 0; at < 1_000; at += 50)
    await Promise.all(
      Array.from({ length: 50 }, async (_, of) => {
        const made = at + of;
        const path =
          made % 2 === 0 ? `/api/made/up-${made}` : `/up-${made}/repo.git/info/refs?service=git-upload-pack`;
        await (
          await fetch(url + path, { headers: { 'x-request-id': `made-up-${made}-name` } })
        ).arrayBuffer();
      }),
    );
  await expect
    .poll(async () =>
      (await scrape()).get('cannery_http_requests_total{route="none",method="GET",status="4xx"}'),
    )
    .toBeGreaterThan(499);
  const after = await scrape();
  expect(after.size - before).toBeLessThan(40);
  expect([...after.keys()].filter((name) => name.includes('up-'))).toEqual([]);
  for (const base of [url, networkUrl])
    for (const path of ['/metrics', '/live', '/ready', '/api/metrics', '/api/ready']) {
      const answer = await fetch(base + path, { headers: { host: new URL(door).host } });
      const text = await answer.text();
      expect([base + path, /cannery_|"checks"|uptime_s/.test(text)]).toEqual([base + path, false]);
    }
});

test('every metric of the board and of the rules exists, and each alert says what to do', async () => {
  const names = await metricNames();
  const known = (name: string): boolean =>
    names.has(name) || names.has(name.replace(/_(?:bucket|sum|count)$/, ''));
  const board = JSON.parse(readFileSync(join(docs, 'grafana-board.json'), 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[];
  };
  const rules = parse(readFileSync(join(docs, 'prometheus-rules.yml'), 'utf8')) as {
    groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
  };
  const alerts = rules.groups.flatMap((group) => group.rules);
  const expressions = [
    ...board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...alerts.map(({ expr }) => expr),
  ];
  const used = expressions.flatMap((expr) => expr.match(/\b(?:cannery|nodejs|process)_\w+/g) ?? []);
  expect([expressions.length > 60, [...new Set(used)].filter((name) => !known(name))]).toEqual([true, []]);
  // What is measured is on the board or in the table for operators.
  const table = readFileSync(join(docs, 'observability.md'), 'utf8');
  expect([...names].filter((name) => name.startsWith('cannery_') && !table.includes(`\`${name}`))).toEqual(
    [],
  );
  const inTable = [...table.matchAll(/^\| `(cannery_\w+)/gm)].map(([, name = '']) => name);
  expect(inTable.filter((name) => !names.has(name))).toEqual([]);
  for (const { alert, annotations } of alerts)
    expect([alert, annotations['summary'], annotations['what_to_do']]).toEqual([
      alert,
      expect.stringMatching(/\.$/),
      expect.stringMatching(/\.$/),
    ]);
});

test('what hangs is told within two seconds, and is well again when it goes on', async () => {
  await expect.poll(async () => (await ready()).status).toBe(200);
  const { body } = await ready();
  expect(Object.keys(body.checks)).toEqual(['disk', 'database', 'network', 'blobs', 'queue', 'worker']);
  const [line = ''] = readFileSync(join(client.product.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split(
    '\n',
  );
  const held = [
    Number(line),
    ...processes().flatMap(({ id, parent }) => (parent === Number(line) ? [id] : [])),
  ];
  for (const id of held) process.kill(id, 'SIGSTOP');
  try {
    await expect.poll(async () => (await ready()).status).toBe(503);
    for (const found of await Promise.all([ready(), ready(), ready()])) {
      expect(found.ms).toBeLessThan(MOST_MS);
      expect(found.body.checks['database']).toMatchObject({
        ok: false,
        reason: expect.stringMatching(/\.$/),
      });
      expect(found.body.checks['disk']).toMatchObject({ ok: true });
    }
    const begun = performance.now();
    expect((await fetch(`${door}/live`)).status).toBe(200);
    expect((await scrape()).get('cannery_ready{check="database"}')).toBe(0);
    expect(performance.now() - begun).toBeLessThan(2 * MOST_MS);
  } finally {
    for (const id of held) process.kill(id, 'SIGCONT');
  }
  await expect.poll(async () => (await ready()).status).toBe(200);
  const resume = await client.product.pauseNetwork();
  try {
    await expect.poll(async () => (await ready()).body.checks['network']?.ok).toBe(false);
    expect((await ready()).ms).toBeLessThan(MOST_MS);
    await expect.poll(async () => (await scrape()).get('cannery_network_up')).toBe(0);
  } finally {
    resume();
  }
  await expect.poll(async () => (await ready()).status).toBe(200);
  await expect.poll(async () => (await scrape()).get('cannery_network_up')).toBe(1);
});
