import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLocalNetwork, type LocalNetwork } from '../local-network.ts';
import { connect, deploy } from '../../test/agent.ts';
import { compileMotoko } from '../../test/compile-motoko.ts';
import { type Answer, lines, named, speak } from '../../test/speak.ts';

/**
 * Who may reach whom through the gateway: requests are written byte by byte, as a browser that was misled, a rebound name
 * or a careless proxy would send them.
 */

/** Every header a page could reach beyond itself with. */
const REACHING: readonly (readonly [string, string])[] = [
  ['Set-Cookie', 'own=1; Path=/; HttpOnly'],
  ['Set-Cookie', 'wide=1; Domain=localhost'],
  ['Set-Cookie', 'dotted=1; path=/; DOMAIN = .LocalHost ; Secure'],
  ['Set-Cookie', 'twice=1; Domain=SELF; Domain=localhost'],
  ['Set-Cookie', 'public=1; Domain=example.com'],
  ['Set-Cookie', 'self=1; Domain=SELF'],
  ['Clear-Site-Data', '"cookies", "storage"'],
  ['Service-Worker-Allowed', '/'],
  ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  ['Alt-Svc', 'h3=":4000"; ma=86400'],
  ['NEL', '{"report_to":"x","max_age":1}'],
  ['Report-To', '{"group":"x"}'],
  ['Accept-CH', 'Device-Memory'],
  ['WWW-Authenticate', 'Basic realm="console"'],
  ['X-Accel-Redirect', '/internal/keys'],
  ['X-Sendfile', '/etc/passwd'],
  ['Connection', 'X-Hop'],
  ['X-Hop', '1'],
  ['Content-Type', 'text/html'],
  ['ETag', '"v1"'],
  ['X-Frame-Options', 'DENY'],
];

/** Answers with the headers it was asked with, and with all of the above. Every answer is that of an update call. */
const ECHO = `
import Text "mo:core/Text";
persistent actor Echo {
  type Header = (Text, Text);
  type Request = { method : Text; url : Text; headers : [Header]; body : Blob };
  type Response = { status_code : Nat16; headers : [Header]; body : Blob; upgrade : ?Bool };
  public query func http_request(_ : Request) : async Response {
    { status_code = 200; headers = []; body = ""; upgrade = ?true };
  };
  public func http_request_update(request : Request) : async Response {
    var body = request.method # " " # request.url # "\\n";
    var host = "";
    for ((name, value) in request.headers.values()) {
      if (name == "host") host := value;
      body #= name # ": " # value # "\\n";
    };
    let self = switch (host.split(#char ':').next()) { case (?name) name; case null "" };
    let headers : [Header] = [${REACHING.map(([name, value]) => `(${JSON.stringify(name)}, Text.replace(${JSON.stringify(value)}, #text "SELF", self))`).join(', ')}];
    { status_code = 200; headers; body = body.encodeUtf8(); upgrade = null };
  };
};
`;

let dataDir: string;
let network: LocalNetwork;
let id: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-origins-'));
  network = await createLocalNetwork({
    dataDir,
    port: 0,
    hosts: ['net.example.com', '*.sites.example.com'],
    canisterUrl: 'https://{canisterId}.sites.example.com/',
    provisional: 'anyone',
  });
  const agent = await connect(network.url, Ed25519KeyIdentity.generate());
  id = (await deploy(agent, compileMotoko(ECHO))).toText();
});
afterAll(async () => {
  await network.close();
  rmSync(dataDir, { recursive: true });
});

/** `PORT` and `ID` in a text are those of this network and its canister. */
const filled = (text: string): string => text.replaceAll('PORT', String(network.port)).replaceAll('ID', id);
const ask = (host: string, path: string, ...headers: readonly string[]): Promise<Answer> =>
  speak(network.port, filled(lines(`GET ${path} HTTP/1.1`, `Host: ${host}`, ...headers)));
const SECRETS = [
  'Cookie: token=bearer-of-the-console',
  'Authorization: Bearer bearer-of-the-console',
  'COOKIE: second=1',
  'Proxy-Authorization: Basic cHJveHk=',
  'Proxy-Connection: keep-alive',
  'Keep-Alive: timeout=5',
  'TE: trailers',
  'Connection: keep-alive, X-Hop',
  'X-Hop: 1',
  'X-Other: kept',
];
/** On these a page shares its host with every canister, and with the console. */
const SHARED = [
  'localhost:PORT',
  'LOCALHOST:PORT',
  '127.0.0.1:PORT',
  '127.8.9.1',
  '[::1]:PORT',
  'localhost.:PORT',
  'net.example.com',
];
const OWN = [
  'ID.localhost:PORT',
  'ID.raw.localhost:PORT',
  'ID.localhost',
  'ID.sites.example.com',
  'ID.LOCALHOST.:PORT',
];

describe('what a canister gets of a request', () => {
  test.each(SHARED)('nothing that is meant for others of this host: %s', async (host) => {
    const { status, body } = await ask(host, '/page?canisterId=ID', ...SECRETS);
    expect(status).toBe(200);
    expect(body).toContain('x-other: kept');
    expect(body).not.toMatch(/bearer-of-the-console|cookie|authorization|proxy-|keep-alive|te: |x-hop/i);
  });

  test('nothing either, where the page that loads a file names the canister', async () => {
    const referer = 'Referer: http://localhost:PORT/?canisterId=ID';
    const { status, body } = await ask('localhost:PORT', '/file', referer, ...SECRETS);
    expect(status).toBe(200);
    expect(body).not.toMatch(/bearer-of-the-console/);
    const foreign = await ask('localhost:PORT', '/file', 'Referer: http://evil.example/?canisterId=ID');
    expect(foreign.status).toBe(404);
  });

  test.each(OWN)('what is its own, and nothing of the connection: %s', async (host) => {
    const { status, body } = await ask(host, '/page', ...SECRETS);
    expect(status).toBe(200);
    expect(body).toContain('cookie: token=bearer-of-the-console');
    expect(body).toContain('authorization: Bearer bearer-of-the-console');
    expect(body).not.toMatch(/proxy-|keep-alive|\nte: |x-hop/i);
  });
});

describe('what a browser gets of an answer', () => {
  test.each(SHARED)('nothing that holds beyond it: %s', async (host) => {
    const answer = await ask(host, '/page?canisterId=ID');
    for (const [name] of REACHING.slice(0, 18)) {
      if (name !== 'Connection') expect(named(answer, name.toLowerCase()), name).toEqual([]);
    }
    expect(named(answer, 'content-type')).toEqual(['text/html']);
    expect(named(answer, 'etag')).toEqual(['"v1"']);
    expect(named(answer, 'x-frame-options')).toEqual(['DENY']);
    // Whatever opens it as a page all the same gets one without an origin.
    expect(named(answer, 'content-security-policy')).toContain('sandbox allow-scripts');
  });

  test.each(OWN)('cookies of its host only, where it has one: %s', async (host) => {
    const answer = await ask(host, '/page');
    const self = filled(host).toLowerCase().split(':')[0]?.replace(/\.$/, '');
    const cookies = named(answer, 'set-cookie').map((cookie) => cookie.toLowerCase());
    expect(cookies.filter((cookie) => !cookie.startsWith('self='))).toEqual(['own=1; path=/; httponly']);
    for (const cookie of cookies.filter((each) => each.startsWith('self='))) {
      expect(cookie.replace(/\.$/, '')).toBe(`self=1; domain=${self}`);
    }
    for (const name of ['clear-site-data', 'alt-svc', 'x-accel-redirect', 'x-sendfile', 'x-hop']) {
      expect(named(answer, name), name).toEqual([]);
    }
    expect(named(answer, 'service-worker-allowed')).toEqual(['/']);
    expect(named(answer, 'content-security-policy')).toEqual([]);
  });
});

describe('a host below that of a site', () => {
  // A page there may set the cookies of the host above, and ask for the passkeys that its visitors have for it.
  test.each([
    'ID.id.ai.localhost:PORT',
    'ID.rdmx6-jaaaa-aaaaa-aaadq-cai.localhost:PORT',
    'ID.shop.localhost:PORT',
    'ID.raw.shop.localhost',
    'ID.raw.raw.localhost',
    'ID.ID.localhost',
    'ID.shop.sites.example.com',
    'ID.raw.shop.sites.example.com',
  ])('is that of no canister: %s', async (host) => {
    const answer = await ask(host, '/page', ...SECRETS);
    expect(answer.status).toBe(404);
    expect(answer.body).not.toContain('bearer-of-the-console');
    expect(named(answer, 'set-cookie')).toEqual([]);
  });
});

describe('a browser that opens a page on a shared host', () => {
  const NAVIGATE = ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document', 'Cookie: token=x'];
  test.each([
    ['localhost:PORT', '/?canisterId=ID', 'http://ID.localhost:PORT/'],
    ['127.0.0.1:PORT', '/?canisterId=ID', 'http://ID.localhost:PORT/'],
    ['[::1]:PORT', '/a/b%20c?x=1&canisterId=ID&y=%2F', 'http://ID.localhost:PORT/a/b%20c?x=1&y=%2F'],
    ['localhost:PORT', '/?%63anisterId=ID&canisterId=ID&z', 'http://ID.localhost:PORT/?z'],
    ['localhost', '/?canisterId=ID', 'http://ID.localhost/'],
    ['localhost:PORT', '//evil.example/?canisterId=ID', 'http://ID.localhost:PORT//evil.example/'],
    ['localhost:PORT', '/\\evil.example?canisterId=ID', 'http://ID.localhost:PORT//evil.example'],
    ['localhost:PORT', '/@evil.example/?canisterId=ID', 'http://ID.localhost:PORT/@evil.example/'],
    ['net.example.com', '/x?canisterId=ID', 'https://ID.sites.example.com/x'],
  ])('is sent to the own host of the canister: %s %s', async (host, path, to) => {
    const answer = await ask(host, path, ...NAVIGATE);
    expect([answer.status, named(answer, 'location')]).toEqual([307, [filled(to)]]);
    expect(answer.body).not.toContain('cookie');
  });

  test('so is an old one, which only says that it wants HTML, and one that sends a form', async () => {
    expect((await ask('localhost:PORT', '/?canisterId=ID', 'Accept: text/html,*/*')).status).toBe(307);
    const form = lines('POST /?canisterId=ID HTTP/1.1', 'Host: localhost', 'Content-Length: 0', ...NAVIGATE);
    expect((await speak(network.port, filled(form))).status).toBe(307);
    const referer = 'Referer: http://localhost:PORT/?canisterId=ID';
    const link = await ask('localhost:PORT', '/about', referer, ...NAVIGATE);
    expect(named(link, 'location')).toEqual([filled('http://ID.localhost:PORT/about')]);
  });

  test.each([
    '/?canisterId=evil.example',
    '/?canisterId=//evil.example',
    '/?canisterId=aaaaa-ab',
    '/?canisterId=ID.evil.example',
    '/?canisterId=ID@evil.example',
    '/?canisterId=%0d%0aLocation:%20http://evil.example',
    '/?canisterId=',
  ])('is sent nowhere for what is no principal: %s', async (path) => {
    const answer = await ask('localhost:PORT', path, ...NAVIGATE);
    expect([answer.status, named(answer, 'location')]).toEqual([404, []]);
    expect(answer.body, 'where pages are, with the port').toContain(`.localhost:${network.port}/`);
  });

  test('is not sent away by what only loads a file, nor by a tool', async () => {
    const load = ['Sec-Fetch-Mode: no-cors', 'Accept: text/html'];
    expect((await ask('localhost:PORT', '/?canisterId=ID', ...load)).status).toBe(200);
    expect((await ask('localhost:PORT', '/?canisterId=ID', 'Accept: */*')).status).toBe(200);
  });
});
