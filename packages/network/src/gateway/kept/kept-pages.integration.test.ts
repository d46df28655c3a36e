import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { utf8 } from '@cannery/ic/certification/bytes';
import { sha256 } from '@cannery/ic/certification/signatures/hash';
import { hashOf, labeled, leaf } from '@cannery/ic/certification/tree/hash-tree';
import { assetCanisterWasm } from '../../../../../canisters/assets/index.ts';
import { createLocalNetwork, type LocalNetwork } from '../../local-network.ts';
import { parseCertificateExpression } from '../proof/certificate-expression.ts';
import type { Header } from '../proof/http-messages.ts';
import { requestHash, responseHash } from '../proof/message-hashes.ts';
import { connect } from '../../../test/agent.ts';
import { AssetSite } from '../../../test/canisters/asset-site.ts';
import { ScriptedCanister } from '../../../test/canisters/scripted-canister.ts';
import { certificateHeader, page } from '../../../test/hostile/hostile-pages.ts';
import { type Management, managementActor } from '../../../test/management-actor.ts';

/** What the gateway keeps of a real site: nothing is older than the last change, and canisters are asked no more than need be. */

interface Seen {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let dataDir: string;
let network: LocalNetwork;
const identity = Ed25519KeyIdentity.generate();
let agent: HttpAgent;
let management: Management;
let site: AssetSite;
/** One connection for each reader, which goes on from request to request. */
let reader: Agent;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-kept-'));
  network = await createLocalNetwork({ dataDir, port: 0 });
  agent = await connect(network.url, identity);
  management = managementActor(agent);
  site = await AssetSite.deploy(agent);
  await site.put('/index.html', { content: Buffer.from('start'), type: 'text/html' });
  await site.put('/large.bin', { content: Buffer.alloc(300_000, 'x') });
  await site.put('/longer.bin', { content: Buffer.alloc(1_200_000, 'x') });
});
afterAll(async () => {
  reader.destroy();
  await network.close();
  rmSync(dataDir, { recursive: true });
});
beforeEach(async () => {
  reader?.destroy();
  reader = new Agent({ keepAlive: true, maxSockets: 1 });
  // The first request of a connection is the server's.
  await ask('/warm.txt');
});

function ask(
  path: string,
  headers: Record<string, string> = {},
  options: { method?: string; host?: string; agent?: Agent } = {},
): Promise<Seen> {
  const { promise, resolve, reject } = Promise.withResolvers<Seen>();
  const { method = 'GET', host = site.host, agent: by = reader } = options;
  const all = { host: `${host}:${network.port}`, ...headers };
  const request = httpRequest(
    { host: '127.0.0.1', port: network.port, path, method, agent: by, headers: all },
    (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const body = Buffer.concat(chunks).toString('latin1');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      });
    },
  );
  request.on('error', reject).end();
  return promise;
}

const idArgument = IDL.Record({ canister_id: IDL.Principal });
const statusReply = IDL.Record({ query_stats: IDL.Record({ num_calls_total: IDL.Nat }) });

/** How often a canister was queried; asked by a query, which changes nothing. */
async function queriesOf(canister_id: Principal): Promise<bigint> {
  const arg = new Uint8Array(IDL.encode([idArgument], [{ canister_id }]));
  const question = { methodName: 'canister_status', arg, effectiveCanisterId: canister_id };
  const result = await agent.query(Principal.managementCanister(), question);
  if (result.status !== 'replied') throw new Error('no status');
  const [{ query_stats }] = IDL.decode([statusReply], result.reply.arg) as unknown as [
    { query_stats: { num_calls_total: bigint } },
  ];
  return query_stats.num_calls_total;
}

/** How often the site is asked while `action` goes on. */
async function asked(action: () => Promise<unknown>, id = site.id): Promise<number> {
  const before = await queriesOf(id);
  await action();
  return Number((await queriesOf(id)) - before);
}

async function times(count: number, action: () => Promise<unknown>): Promise<void> {
  for (let each = 0; each < count; each += 1) await action();
}

const withoutDate = ({ headers, ...seen }: Seen): object => ({
  ...seen,
  headers: { ...headers, date: undefined },
});

test.each<[string, string, Record<string, string>, string?]>([
  ['a page', '/', {}],
  ['its head', '/', {}, 'HEAD'],
  ['a large file', '/large.bin', {}],
  ['a page that is not there', '/missing', {}],
  ['a range', '/large.bin', { range: 'bytes=10-99999' }],
  ['several ranges', '/large.bin', { range: 'bytes=0-1,5-6' }],
  ['a range that is not there', '/', { range: 'bytes=100-' }],
  ['an odd address', '//', {}],
])(
  '%s is asked for once, and sent as the canister answered it',
  async (_what, path, headers, method = 'GET') => {
    const seen: Seen[] = [];
    const more = { 'x-test': `${method} ${path}`, ...headers };
    const count = await asked(() => times(5, async () => void seen.push(await ask(path, more, { method }))));
    expect(count).toBe(1);
    const [first, ...others] = seen;
    if (!first) throw new Error('no answer');
    for (const other of others) expect(withoutDate(other)).toEqual(withoutDate(first));
  },
);

test('what the client has already is told as the canister certified it', async () => {
  const { headers } = await ask('/');
  const known = { 'if-none-match': headers.etag ?? '' };
  const seen: Seen[] = [];
  expect(await asked(() => times(4, async () => void seen.push(await ask('/', known))))).toBe(1);
  for (const { status, body, headers: told } of seen) {
    expect([status, body, told.etag]).toEqual([304, '', headers.etag]);
    expect(told['ic-certificate']).toBeDefined();
  }
  expect(await ask('/', { 'if-none-match': '"other"' })).toMatchObject({ status: 200, body: 'start' });
});

test('requests that differ in what the canister sees are asked each', async () => {
  const different: readonly Record<string, string>[] = [
    { 'accept-encoding': 'gzip' },
    { 'accept-encoding': 'identity' },
    { 'accept-language': 'de' },
    { 'user-agent': 'x' },
    { 'if-modified-since': 'Wed, 21 Oct 2015 07:28:00 GMT' },
    { 'x-anything': '1' },
    { host: `${site.host.toUpperCase()}:${network.port}` },
  ];
  for (const headers of different) expect(await asked(() => ask('/', headers))).toBe(1);
  expect(await asked(() => ask('/?query'))).toBe(1);
  expect(await asked(() => ask('/index.html'))).toBe(1);
  const from = (address: string): Promise<Seen> => ask('/', { 'x-forwarded-for': address });
  expect(await asked(() => from('10.0.0.1').then(() => from('10.0.0.2')))).toBeLessThanOrEqual(1);
});

test("nothing is kept of what is one visitor's, unverified, long or not answered by a query", async () => {
  const always = (...parameters: Parameters<typeof ask>): Promise<number> =>
    asked(() => times(3, () => ask(...parameters)));
  expect(await always('/', { cookie: 'a=b' })).toBe(3);
  expect(await always('/', { authorization: 'x' })).toBe(3);
  expect(await always('/', {}, { method: 'POST' })).toBe(3);
  expect(await always('/', {}, { host: `${site.id}.raw.localhost` })).toBe(3);
  expect(await always('/longer.bin', {})).toBe(3);
});

describe('answers that a canister certifies in part', () => {
  const RESPONSE = (headers: string): string =>
    `default_certification(ValidationArgs{certification:Certification{no_request_certification:Empty{},response_certification:ResponseCertification{certified_response_headers:ResponseHeaderList{headers:[${headers}]}}}})`;
  const NOTHING = 'default_certification(ValidationArgs{no_certification:Empty{}})';
  const REQUEST =
    'default_certification(ValidationArgs{certification:Certification{request_certification:RequestCertification{certified_request_headers:[],certified_query_parameters:[]},response_certification:ResponseCertification{certified_response_headers:ResponseHeaderList{headers:[]}}}})';
  const ASKED = { method: 'GET', url: '/', headers: [], bodyHash: sha256() };
  const COOKIE: Header = ['set-cookie', 'a=b'];
  let canister: ScriptedCanister;
  beforeAll(async () => {
    canister = await ScriptedCanister.deploy(agent);
  });

  test.each<[string, string, readonly Header[], number]>([
    ['the response', RESPONSE(''), [], 1],
    ['the response with its cookie', RESPONSE('"set-cookie"'), [COOKIE], 1],
    ['the response, but not its cookie', RESPONSE(''), [COOKIE], 3],
    ['nothing', NOTHING, [], 3],
    ['the request as well', REQUEST, [], 3],
  ])('%s', async (_what, text, more, count) => {
    const body = utf8('hello');
    const headers: Header[] = [['IC-CertificateExpression', text], ...more];
    const expression = parseCertificateExpression(text);
    const certified =
      expression.kind === 'nothing'
        ? leaf(new Uint8Array())
        : labeled(
            expression.request ? requestHash(ASKED, expression.request) : new Uint8Array(),
            labeled(
              responseHash({ status: 200, headers, bodyHash: sha256(body) }, expression),
              leaf(new Uint8Array()),
            ),
          );
    const tree = labeled(utf8('http_expr'), labeled(utf8('<*>'), labeled(sha256(utf8(text)), certified)));
    const certificate = await canister.certify(hashOf(tree));
    await canister.page(page([...headers, certificateHeader(certificate, tree)], body));
    const host = `${canister.id}.localhost`;
    const seen: Seen[] = [];
    const ofCanister = await asked(
      () => times(3, async () => void seen.push(await ask('/', { 'x-test': text }, { host }))),
      canister.id,
    );
    expect(seen.map(({ status, body: each }) => `${status} ${each}`)).toEqual(Array(3).fill('200 hello'));
    expect(ofCanister).toBe(count);
  });
});

test('a file that changes is seen at the very next request after its update was answered, by all readers', async () => {
  const put = (version: number): Promise<void> =>
    site.put('/version.txt', { content: Buffer.from(`${version}`), type: 'text/plain' });
  await put(0);
  let [answered, reads, isOn] = [0, 0, true];
  const stale: string[] = [];
  const readers = Array.from({ length: 24 }, async () => {
    const own = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let last = 0; isOn; ) {
      const atLeast = Math.max(answered, last);
      const { status, body } = await ask('/version.txt', {}, { agent: own });
      if (status !== 200 || Number(body) < atLeast) stale.push(`${status} ${body} after ${atLeast}`);
      last = Number(body);
      reads += 1;
    }
    own.destroy();
  });
  const rounds = 15;
  const count = await asked(async () => {
    for (let version = 1; version <= rounds; version += 1) {
      await put(version);
      answered = version;
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
  });
  isOn = false;
  await Promise.all(readers);
  expect(stale).toEqual([]);
  expect(reads).toBeGreaterThan(1_000);
  // Three calls for each version change the canister; the readers share most answers between them.
  expect(count).toBeLessThan(reads / 2);
}, 60_000);

describe('what is kept ends with', () => {
  const canister = (): { canister_id: Principal } => ({ canister_id: site.id });
  const install = async (mode: object): Promise<unknown> =>
    management('install_code', {
      ...canister(),
      mode,
      wasm_module: await assetCanisterWasm(),
      arg: new Uint8Array(IDL.encode([], [])),
      sender_canister_version: [],
    });
  const settings = {
    controllers: [],
    compute_allocation: [],
    memory_allocation: [],
    freezing_threshold: [],
    reserved_cycles_limit: [],
    log_visibility: [],
    wasm_memory_limit: [],
    wasm_memory_threshold: [],
    environment_variables: [[{ name: 'PUBLIC_A', value: 'b' }]],
    minimum_incoming_canister_call_cycles: [],
    snapshot_visibility: [],
    log_memory_limit: [],
    status_visibility: [],
  };
  let snapshot: Uint8Array;

  test.each<[string, () => Promise<unknown>, string]>([
    ['an upgrade', () => install({ upgrade: [] }), '200 start'],
    ['an environment variable', () => changeSettings(), '200 start'],
    [
      'a snapshot that is loaded',
      async () => {
        const { id } = (await management('take_canister_snapshot', {
          ...canister(),
          replace_snapshot: [],
          uninstall_code: [],
          sender_canister_version: [],
        })) as { id: Uint8Array };
        snapshot = id;
        await site.put('/index.html', { content: Buffer.from('other'), type: 'text/html' });
        expect((await ask('/')).body).toBe('other');
        await management('load_canister_snapshot', {
          ...canister(),
          snapshot_id: snapshot,
          sender_canister_version: [],
        });
      },
      '200 start',
    ],
    ['a stop', () => management('stop_canister', canister()), '503'],
    ['a start', () => management('start_canister', canister()), '200 start'],
    [
      'the removal of its code',
      () => management('uninstall_code', { ...canister(), sender_canister_version: [] }),
      '503',
    ],
    ['an installation', () => install({ install: null }), '404 not found'],
    ['a file', () => site.put('/index.html', { content: Buffer.from('new'), type: 'text/html' }), '200 new'],
    ['time that is set ahead', () => network.advanceTime(121_000_000_000n), '200 new'],
  ])('%s', async (_what, change, expected) => {
    await times(3, () => ask('/'));
    await change();
    const before = await queriesOf(site.id);
    const { status, body } = await ask('/');
    expect(`${status} ${body}`).toContain(expected);
    if (status !== 503) expect(await queriesOf(site.id)).toBe(before + 1n);
  });

  async function changeSettings(): Promise<unknown> {
    const { settings: known } = (await management('canister_status', canister())) as {
      settings: { controllers: Principal[] };
    };
    return management('update_settings', {
      ...canister(),
      settings: { ...settings, controllers: [known.controllers] },
      sender_canister_version: [],
    });
  }

  test('a restart', async () => {
    await times(3, () => ask('/'));
    const { port } = network;
    await network.close();
    network = await createLocalNetwork({ dataDir, port });
    agent = await connect(network.url, identity);
    management = managementActor(agent);
    reader.destroy();
    reader = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await ask('/')).toMatchObject({ status: 200, body: 'new' });
  });

  test('its deletion', async () => {
    await times(3, () => ask('/'));
    await management('stop_canister', canister());
    await management('delete_canister', canister());
    expect((await ask('/')).status).toBe(404);
  });
});
