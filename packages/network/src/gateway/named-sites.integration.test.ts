import { mkdtempSync, rmSync } from 'node:fs';
import { fork } from 'node:child_process';
import { Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, deploy } from '../../test/agent.ts';
import { AssetSite } from '../../test/canisters/asset-site.ts';
import { compileMotoko } from '../../test/compile-motoko.ts';
import { createLocalNetwork, type LocalNetwork } from '../local-network.ts';
import { program, programEnvironment, siteNamesMessage } from '../program.ts';

/** Sites by names of their owners' choice: each answer is what the host of the canister's ID gives, and nobody else's. */

/** Answers without a certificate, as somebody between the canister and the gateway would. */
const FORGED = `
persistent actor {
  type Request = { url : Text };
  type Response = { status_code : Nat16; headers : [(Text, Text)]; body : Blob; upgrade : ?Bool };
  public query func http_request(_ : Request) : async Response {
    { status_code = 200; headers = []; body = "forged"; upgrade = null };
  };
};
`;
/** Each answer is that of an update, with cookies for itself and for all. */
const COOKIES = `
import Text "mo:core/Text";
persistent actor {
  type Request = { headers : [(Text, Text)] };
  type Response = { status_code : Nat16; headers : [(Text, Text)]; body : Blob; upgrade : ?Bool };
  public query func http_request(_ : Request) : async Response {
    { status_code = 200; headers = []; body = ""; upgrade = ?true };
  };
  public func http_request_update(request : Request) : async Response {
    var seen = "";
    for ((name, value) in request.headers.values()) { if (name == "cookie") seen := value };
    let headers = [
      ("Set-Cookie", "own=1; Path=/"),
      ("Set-Cookie", "all=1; Domain=sites.example.com"),
      ("Set-Cookie", "near=1; Domain=shop.sites.example.com"),
    ];
    { status_code = 200; headers; body = seen.encodeUtf8(); upgrade = null };
  };
};
`;

interface Seen {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let dataDir: string;
let network: LocalNetwork;
let site: AssetSite;
let other: AssetSite;
let forged: string;
let cookies: string;
const reader = new Agent({ keepAlive: true, maxSockets: 1 });

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-names-'));
  const canisterUrl = 'https://{canisterId}.sites.example.com/';
  network = await createLocalNetwork({
    dataDir,
    port: 0,
    hosts: ['*.sites.example.com'],
    canisterUrl,
    provisional: 'anyone',
  });
  const agent = await connect(network.url, Ed25519KeyIdentity.generate());
  [site, other] = [await AssetSite.deploy(agent), await AssetSite.deploy(agent)];
  for (const [one, text] of [
    [site, 'shop'],
    [other, 'other'],
  ] as const) {
    await one.put('/index.html', { content: Buffer.from(text), type: 'text/html' });
    await one.put('/.well-known/ic-domains', {
      content: Buffer.from('shop.example.com\n'),
      type: 'text/plain',
    });
  }
  forged = (await deploy(agent, compileMotoko(FORGED))).toText();
  cookies = (await deploy(agent, compileMotoko(COOKIES))).toText();
});
afterAll(async () => {
  reader.destroy();
  await network.close();
  rmSync(dataDir, { recursive: true });
});

function ask(
  host: string,
  path = '/',
  headers: Record<string, string> = {},
  port = network.port,
): Promise<Seen> {
  const { promise, resolve, reject } = Promise.withResolvers<Seen>();
  const options = { host: '127.0.0.1', port, path, agent: reader, headers: { host, ...headers } };
  httpRequest(options, (response) => {
    response.toArray().then((chunks) => {
      const body = Buffer.concat(chunks as Buffer[]).toString('latin1');
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
    }, reject);
  })
    .on('error', reject)
    .end();
  return promise;
}

const name = (given: Record<string, string>): void => network.nameSites(new Map(Object.entries(given)));
const SHOP = 'shop.sites.example.com';
const named = (): void => name({ shop: site.id.toText(), forged, cookies });

test('a name serves what the host of the ID serves, verified as there', async () => {
  expect((await ask(SHOP)).status).toBe(404);
  named();
  const byName = await ask(SHOP);
  expect([byName.status, byName.body]).toEqual([200, 'shop']);
  const byId = await ask(`${site.id}.sites.example.com`);
  for (const header of ['content-type', 'etag', 'x-ic-canister-id', 'ic-certificateexpression'])
    expect(byName.headers[header]).toBe(byId.headers[header]);
  expect(byName.headers['content-security-policy']).toBe(byId.headers['content-security-policy']);
  expect((await ask(SHOP, '/.well-known/ic-domains')).body).toBe('shop.example.com\n');
  expect((await ask(SHOP, '/', { range: 'bytes=1-2' })).body).toBe('ho');
  const etag = String(byName.headers.etag);
  expect((await ask(SHOP, '/', { 'if-none-match': etag })).status).toBe(304);
  expect((await ask(SHOP, '/api/v2/status')).status).toBe(200);
  for (const host of ['forged.sites.example.com', `${forged}.sites.example.com`]) {
    const { status, body } = await ask(host);
    expect([host, status, body.startsWith('forged')]).toEqual([host, 502, false]);
  }
});

test('cookies of a name are for its host alone, and the query names nobody else there', async () => {
  name({ shop: cookies });
  const { headers, body } = await ask(SHOP, '/', { cookie: 'mine=1' });
  expect(headers['set-cookie']).toEqual(['own=1; Path=/', 'near=1; Domain=shop.sites.example.com']);
  expect(body).toBe('mine=1');
  expect((await ask(SHOP, `/?canisterId=${other.id}`)).headers['x-ic-canister-id']).toBe(cookies);
});

test('a name that goes, or goes to another site, takes with it what was kept', async () => {
  named();
  for (let time = 0; time < 3; time += 1) expect((await ask(SHOP)).body).toBe('shop');
  name({ shop: other.id.toText() });
  for (let time = 0; time < 3; time += 1) expect((await ask(SHOP)).body).toBe('other');
  name({});
  expect((await ask(SHOP)).status).toBe(404);
  expect((await ask(`${other.id}.sites.example.com`)).body).toBe('other');
});

test('an answer that is under way while its name goes to another site is not kept for that', async () => {
  for (let turn = 0; turn < 40; turn += 1) {
    name({ shop: site.id.toText() });
    const first = ask(SHOP, `/?turn=${turn}`);
    await delay(turn % 8);
    name({ shop: other.id.toText() });
    expect(['shop', 'other']).toContain((await first).body);
    expect((await ask(SHOP, `/?turn=${turn}`)).body).toBe('other');
  }
});

test('the program hears names from who has started it, keeps those of before where they are wrong, and ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-named-'));
  const child = fork(fileURLToPath(program), ['--data-dir', folder, '--port', '0', '--exit-with-parent'], {
    env: programEnvironment(process.env),
    execArgv: [],
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
  try {
    let port = 0;
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
      port = Number(/^network ready: http:\S+:(\d+)$/.exec(line)?.[1] ?? 0);
      if (port > 0) break;
    }
    const agent = await connect(`http://127.0.0.1:${port}`, Ed25519KeyIdentity.generate());
    const its = await AssetSite.deploy(agent);
    await its.put('/index.html', { content: Buffer.from('by name'), type: 'text/html' });
    child.send(siteNamesMessage(new Map([['shop', its.id.toText()]])));
    await expect.poll(async () => (await ask('shop.localhost', '/', {}, port)).body).toBe('by name');
    child.send(siteNamesMessage(new Map([['Not a name', its.id.toText()]])));
    await expect.poll(() => errors).toContain('cannot be a name');
    expect((await ask('shop.localhost', '/', {}, port)).body).toBe('by name');
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
