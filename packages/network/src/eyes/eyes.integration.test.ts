import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import type { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wat } from '../../../wasm/test/wasm.ts';
import { connect, deploy, management } from '../../test/agent.ts';
import { createLocalNetwork, type LocalNetwork, type LocalNetworkOptions } from '../local-network.ts';
import type { View } from './view.ts';

/** What a canister is called with, prints, keeps and answers: nobody else's business. */
const SECRET = 'hunter2-secret';
const KEEPER = `(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (import "ic0" "debug_print" (func $print (param i32 i32)))
  (memory 1)
  (data (i32.const 0) "${SECRET}")
  (func $tell (call $print (i32.const 0) (i32.const 14)) (call $append (i32.const 0) (i32.const 14)) (call $reply))
  (func (export "canister_update write") (call $tell))
  (func (export "canister_query read") (call $tell)))`;
/** A method whose name has markup, and a character that turns text around. */
const ODD = '<img src=x>\u202E';
const ODD_NAMED = `(module
  (import "ic0" "msg_reply" (func $reply))
  (func (export "canister_query <img src=x>\\e2\\80\\ae") (call $reply)))`;

let folder: string;
let network: LocalNetwork;
let agent: HttpAgent;
let keeper: Principal;

const start = (options: Partial<LocalNetworkOptions> = {}): Promise<LocalNetwork> =>
  createLocalNetwork({ dataDir: mkdtempSync(join(folder, 'network-')), port: 0, ...options });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-eyes-'));
  network = await start();
  agent = await connect(network.url);
  keeper = await deploy(agent, wat(KEEPER));
});
afterAll(async () => {
  await network.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Asked {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Asks with headers that `fetch` would not send. */
function ask(
  path: string,
  {
    port = network.port,
    method = 'GET',
    headers = {},
  }: { port?: number; method?: string; headers?: Record<string, string> } = {},
): Promise<Asked> {
  const { promise, resolve, reject } = Promise.withResolvers<Asked>();
  const call = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
    let text = '';
    answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
    answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
  });
  call.once('error', reject).end();
  return promise;
}

async function view(query = ''): Promise<View> {
  const { status, text } = await ask(`/_/dashboard/data${query}`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return JSON.parse(text) as View;
}

const arg = new Uint8Array(IDL.encode([IDL.Text], [SECRET]));

test('it shows what methods use and how canisters are, and nothing of what they were sent, say or keep', async () => {
  const odd = await deploy(agent, wat(ODD_NAMED));
  for (let turn = 0; turn < 3; turn++) {
    await agent.update(keeper, { methodName: 'write', arg, effectiveCanisterId: keeper });
    await agent.query(keeper, { methodName: 'read', arg });
  }
  await agent.query(odd, { methodName: ODD, arg });
  await expect
    .poll(async () => (await view()).methods.some(({ name }) => name === '<img src=x>\uFFFD'))
    .toBe(true);
  const shown = await view();
  const mine = shown.methods.filter(({ canister }) => canister === keeper.toText());
  const write = mine.find(({ kind, name }) => kind === 'update' && name === 'write');
  const read = mine.find(({ kind, name }) => kind === 'query' && name === 'read');
  expect(write?.calls).toBe(3);
  expect(read?.calls).toBe(3);
  expect(write?.instructions).toBeGreaterThan(0);
  expect(BigInt(write?.cycles ?? 0)).toBeGreaterThan(15_000_000n);
  expect(read?.cycles).toBe('0');
  const row = shown.canisters.rows.find(({ id }) => id === keeper.toText());
  expect(row).toMatchObject({ status: 'running', waiting: 0, queries: 3 });
  expect(row?.module).toMatch(/^[0-9a-f]{8}$/);
  expect(BigInt(row?.cycles ?? 0)).toBeGreaterThan(10n ** 12n);
  expect(shown.figures).toMatchObject({ canisters: 2, waitingMessages: 0, isDiskLow: false });
  expect(shown.figures.rounds).toBeGreaterThan(0);
  for (const path of ['/_/dashboard', '/_/dashboard/data', '/metrics'])
    expect((await ask(path)).text).not.toContain(SECRET);
});

test('metrics are those of Prometheus, and have no label of a stranger', async () => {
  const { status, headers, text } = await ask('/metrics');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  const line =
    /^(?:# (?:HELP|TYPE) [a-z_]+ .+|[a-z_]+(?:\{[a-z]+="[A-Za-z0-9_.+]+"(?:,[a-z]+="[A-Za-z0-9_.+]+")*\})? -?[0-9.e+-]+)?$/;
  for (const each of text.split('\n')) expect(each).toMatch(line);
  const values = new Map(text.split('\n').map((each) => [each.split(' ')[0], Number(each.split(' ')[1])]));
  expect(values.get('cannery_network_canisters')).toBeGreaterThanOrEqual(1);
  expect(values.get('cannery_network_messages_total')).toBeGreaterThan(0);
  expect(values.get('cannery_network_cycles_consumed_total')).toBeGreaterThan(0);
  expect(values.get('cannery_network_clock_ahead_seconds')).toBe(0);
  expect(
    values.get('cannery_network_http_request_duration_seconds_bucket{le="+Inf",kind="call"}'),
  ).toBeGreaterThan(0);
  expect(text).not.toContain(keeper.toText());
});

test('the page runs nothing but its own script', async () => {
  const { status, headers } = await ask('/_/dashboard');
  expect(status).toBe(200);
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toMatch(/script-src 'sha256-[^']+';/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(headers['access-control-allow-origin']).toBeUndefined();
});

test('only this computer gets it, at no address of a canister or a site, and no page of another origin', async () => {
  network.nameSites(new Map([['shop', keeper.toText()]]));
  const other = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
  for (const path of ['/_/dashboard', '/_/dashboard/data', '/metrics']) {
    for (const host of ['127.0.0.1', 'localhost', '[::1]'])
      expect((await ask(path, { headers: { host: `${host}:${network.port}` } })).status).toBe(200);
    // What a canister or nobody answers: the dashboard is not there.
    for (const name of [
      `${keeper.toText()}.localhost`,
      `${keeper.toText()}.raw.localhost`,
      'shop.localhost',
      'x.localhost',
    ]) {
      const { status, text } = await ask(path, { headers: { host: `${name}:${network.port}` } });
      expect(status).not.toBe(200);
      expect(text).not.toContain('cannery_network');
    }
    expect((await ask(`${path}?canisterId=${keeper.toText()}`)).status).not.toBe(200);
    for (const header of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])
      expect((await ask(path, { headers: { [header]: 'for=1.2.3.4' } })).status).toBe(404);
    const origin = `http://${keeper.toText()}.localhost:${network.port}`;
    expect((await ask(path, { headers: { origin } })).status).toBe(403);
    expect((await ask(path, { headers: other })).status).toBe(403);
    // A frame is refused, a link in a window is not.
    const link = { ...other, 'sec-fetch-mode': 'navigate' };
    expect((await ask(path, { headers: { ...link, 'sec-fetch-dest': 'iframe' } })).status).toBe(403);
    expect((await ask(path, { headers: { ...link, 'sec-fetch-dest': 'document' } })).status).toBe(200);
    expect((await ask(path, { method: 'POST' })).status).toBe(405);
    expect((await ask(path, { method: 'HEAD' })).text).toBe('');
  }
});

test('where others can reach the network it is off unless it is asked for, and on loopback it can be turned off', {
  timeout: 120_000,
}, async () => {
  const cases = [
    [{ hosts: ['net.example.com'] }, 404],
    [{ canisterUrl: 'https://{canisterId}.example.com/' }, 404],
    [{ dashboard: false }, 404],
    [{ hosts: ['net.example.com'], dashboard: true }, 200],
  ] as const;
  for (const [options, expected] of cases) {
    const open = await start(options);
    try {
      const { port } = open;
      for (const path of ['/_/dashboard', '/_/dashboard/data', '/metrics'])
        expect((await ask(path, { port })).status).toBe(expected);
      if (!('hosts' in options)) continue;
      expect((await ask('/_/dashboard', { port, headers: { host: 'net.example.com' } })).status).toBe(404);
    } finally {
      await open.close();
    }
  }
});

test('canisters come in pages, and one is found by its ID', async () => {
  const canisters = management(agent);
  const made = await Promise.all(
    Array.from({ length: 52 }, () =>
      canisters.provisional_create_canister_with_cycles({ amount: [], settings: [] }),
    ),
  );
  await expect
    .poll(async () => (await view()).canisters.total, { timeout: 5_000 })
    .toBeGreaterThanOrEqual(53);
  const first = await view();
  const second = await view('?from=50');
  expect(first.canisters.rows.length).toBe(50);
  const ids = [...first.canisters.rows, ...second.canisters.rows].map(({ id }) => id);
  expect(new Set(ids).size).toBe(first.canisters.total);
  const last = made.at(-1)?.canister_id.toText();
  expect((await view(`?canister=${last}`)).canisters.rows).toMatchObject([{ id: last, module: null }]);
  expect((await view('?canister=aaaaa-aa')).canisters.rows).toEqual([]);
  expect((await view('?from=999999999')).canisters.rows.length).toBe(1);
  for (const query of ['?from=-1', '?from=1e9', '?canister=nobody', '?from=9999999999'])
    expect((await ask(`/_/dashboard/data${query}`)).status).toBe(400);
});
