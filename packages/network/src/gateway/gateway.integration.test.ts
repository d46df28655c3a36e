import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpAgent } from '@icp-sdk/core/agent';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import type { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { utf8 } from '@cannery/ic/certification/bytes';
import { encodeCbor, treeToCbor } from '@cannery/ic/certification/tree/cbor';
import { sha256 } from '@cannery/ic/certification/signatures/hash';
import { hashOf, leaf } from '@cannery/ic/certification/tree/hash-tree';
import { directoryOf } from '@cannery/ic/certification/tree/tree-directory';
import { createLocalNetwork, type LocalNetwork } from '../local-network.ts';
import { connect, deploy, management } from '../../test/agent.ts';
import { compileMotoko } from '../../test/compile-motoko.ts';

const EXPRESSION = 'default_certification(ValidationArgs{no_certification:Empty{}})';
const tree = directoryOf([
  [
    utf8('http_expr'),
    directoryOf([[utf8('<*>'), directoryOf([[sha256(utf8(EXPRESSION)), leaf(new Uint8Array())]])]]),
  ],
]);
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const blob = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');

/** Serves one page of each kind; what is below `/certified` carries a certificate that covers every page. */
const SITE = `
import Blob "mo:core/Blob";
import Nat "mo:core/Nat";
import Nat8 "mo:core/Nat8";
import Text "mo:core/Text";
import Array "mo:core/Array";
import CertifiedData "mo:core/CertifiedData";
persistent actor Site {
  type Header = (Text, Text);
  type Request = { method : Text; url : Text; headers : [Header]; body : Blob; certificate_version : ?Nat16 };
  type UpdateRequest = { method : Text; url : Text; headers : [Header]; body : Blob };
  type Token = { index : Nat; name : Text };
  type Chunk = { body : Blob; token : ?Token };
  type Strategy = { #Callback : { callback : shared query Token -> async ?Chunk; token : Token } };
  type Response = { status_code : Nat16; headers : [Header]; body : Blob; upgrade : ?Bool; streaming_strategy : ?Strategy };

  var visits : Nat = 0;
  CertifiedData.set("${blob(hashOf(tree))}");

  func page(status : Nat16, headers : [Header], body : Text) : Response {
    { status_code = status; headers; body = body.encodeUtf8(); upgrade = null; streaming_strategy = null };
  };

  transient let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".toArray();
  func base64(blob : Blob) : Text {
    let bytes = blob.toArray();
    let size = bytes.size();
    func at(i : Nat) : Nat { if (i < size) bytes[i].toNat() else 0 };
    var text = "";
    var i = 0;
    while (i < size) {
      let word = at(i) * 65536 + at(i + 1) * 256 + at(i + 2);
      text #= Text.fromChar(alphabet[word / 262144]) # Text.fromChar(alphabet[word / 4096 % 64]);
      text #= if (i + 1 < size) Text.fromChar(alphabet[word / 64 % 64]) else "=";
      text #= if (i + 2 < size) Text.fromChar(alphabet[word % 64]) else "=";
      i += 3;
    };
    text;
  };
  func certificate() : [Header] {
    let ?bytes = CertifiedData.getCertificate() else return [];
    [
      ("IC-CertificateExpression", "${EXPRESSION}"),
      ("IC-Certificate", "certificate=:" # base64(bytes) # ":, tree=:${base64(encodeCbor(treeToCbor(tree)))}:, expr_path=:${base64(encodeCbor(['http_expr', '<*>']))}:, version=2"),
    ];
  };

  transient let letters = "abcdefghijklmnopqrstuvwxyz".toArray();
  // Ten letters from where the Range header says; /changing has another length after its first piece.
  func piece(url : Text, headers : [Header]) : Response {
    var first = 0;
    for ((name, value) in headers.values()) {
      if (name == "range") {
        let ?number = Text.stripStart(Text.trimEnd(value, #char '-'), #text "bytes=") else return page(416, [], "");
        let ?start = Nat.fromText(number) else return page(416, [], "");
        first := start;
      };
    };
    let end = Nat.min(first + 10, 26);
    let total = if (first > 0 and url == "/changing") 27 else 26;
    let range = "bytes " # first.toText() # "-" # (end - 1 : Nat).toText() # "/" # total.toText();
    let (encoding, etag) = (("Content-Type", "text/plain"), ("ETag", "\\"v1\\""));
    page(206, [encoding, etag, ("Content-Range", range)], Text.fromIter(letters.sliceToArray(first, end).values()));
  };

  public query func http_request(request : Request) : async Response {
    let version = debug_show request.certificate_version;
    for ((name, value) in request.headers.values()) {
      if (name == "if-none-match" and value == "\\"v1\\"") return page(304, [("ETag", "\\"v1\\"")], "");
    };
    switch (request.url) {
      case "/" page(200, [("Content-Type", "text/html"), ("ETag", "\\"v1\\""), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")], "<h1>" # version # "</h1>");
      case "/certified" page(200, certificate(), "trusted");
      case "/count" ({ page(200, [], "") with upgrade = ?true });
      case "/trap" { assert false; page(200, [], "") };
      case "/bad-header" page(200, [("X-Bad", "a\\nb")], "");
      case "/stream" ({ page(200, [], "start ") with streaming_strategy = ?#Callback({ callback = next; token = { index = 0; name = "file" } }) });
      case ("/large" or "/changing") piece(request.url, request.headers);
      case _ page(404, [], request.method # " " # request.url);
    };
  };

  public query func next(token : Token) : async ?Chunk {
    let body = (token.name # token.index.toText() # " ").encodeUtf8();
    ?{ body; token = if (token.index < 3) ?{ token with index = token.index + 1 } else null };
  };

  public func http_request_update(request : UpdateRequest) : async Response {
    visits += 1;
    let ?text = request.body.decodeUtf8() else return page(400, [], "");
    page(201, [], request.method # " " # visits.toText() # " " # text);
  };
};
`;

let dataDir: string;
let network: LocalNetwork;
let agent: HttpAgent;
let site: Principal;

interface Page {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request as a browser sends it that resolves `*.localhost` to this machine. */
function visit(
  host: string,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Page> {
  const { promise, resolve, reject } = Promise.withResolvers<Page>();
  const headers = { host: `${host}:${network.port}`, accept: 'text/html', ...options.headers };
  const request = httpRequest(
    { host: '127.0.0.1', port: network.port, path, method: options.method, headers },
    (response) => {
      response
        .toArray()
        .then((chunks) =>
          resolve({
            status: response.statusCode,
            headers: response.headers,
            body: Buffer.concat(chunks as Buffer[]).toString(),
          }),
        )
        .catch(reject);
    },
  );
  request.on('error', reject);
  request.end(options.body);
  return promise;
}
const raw = (path: string, options?: Parameters<typeof visit>[2]): Promise<Page> =>
  visit(`${site}.raw.localhost`, path, options);

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-site-'));
  network = await createLocalNetwork({ dataDir, port: 0 });
  agent = await connect(network.url, Ed25519KeyIdentity.generate());
  site = await deploy(agent, compileMotoko(SITE));
});

afterAll(async () => {
  await network.close();
  rmSync(dataDir, { recursive: true });
});

describe('a raw address', () => {
  test('serves the page of a canister as it is', async () => {
    const { status, headers, body } = await raw('/');
    expect([status, body]).toEqual([200, '<h1>?2</h1>']);
    expect(headers).toMatchObject({
      'content-type': 'text/html',
      etag: '"v1"',
      'set-cookie': ['a=1', 'b=2'],
      'x-ic-canister-id': site.toText(),
      'access-control-allow-origin': '*',
    });
  });

  test('passes method, address, validators and errors through', async () => {
    expect(await raw('/missing?x=1', { method: 'DELETE' })).toMatchObject({
      status: 404,
      body: 'DELETE /missing?x=1',
    });
    expect(await raw('/', { headers: { 'if-none-match': '"v1"' } })).toMatchObject({ status: 304, body: '' });
    const head = await raw('/', { method: 'HEAD' });
    expect([head.status, head.body, head.headers['content-length']]).toEqual([200, '', '11']);
  });

  test('turns a request into an update call when the canister wants to change its state', async () => {
    expect(await raw('/count', { method: 'POST', body: 'hello' })).toMatchObject({
      status: 201,
      body: 'POST 1 hello',
    });
    expect(await raw('/count', { method: 'POST', body: 'again' })).toMatchObject({
      status: 201,
      body: 'POST 2 again',
    });
  });

  test('puts streamed bodies together', async () => {
    expect(await raw('/stream')).toMatchObject({ status: 200, body: 'start file0 file1 file2 file3 ' });
  });

  test('gives a client that asks for a range all of a streamed body, of which the canister has no ranges', async () => {
    const { status, headers, body } = await raw('/stream', { headers: { range: 'bytes=0-4' } });
    expect([status, body]).toEqual([200, 'start file0 file1 file2 file3 ']);
    expect(headers['content-range']).toBeUndefined();
    expect(headers['content-length']).toBe('30');
  });

  test('makes one response of the pieces of a large file', async () => {
    const whole = await raw('/large');
    expect([whole.status, whole.body]).toEqual([200, 'abcdefghijklmnopqrstuvwxyz']);
    expect(whole.headers).toMatchObject({ 'content-length': '26', etag: '"v1"' });
    expect(whole.headers['content-range']).toBeUndefined();
    const head = await raw('/large', { method: 'HEAD' });
    expect([head.status, head.body, head.headers['content-length']]).toEqual([200, '', '26']);
  });

  test('leaves the pieces to a client that asks for a range', async () => {
    const { status, headers, body } = await raw('/large', { headers: { range: 'bytes=20-' } });
    expect([status, body, headers['content-range']]).toEqual([206, 'uvwxyz', 'bytes 20-25/26']);
  });

  test('cuts off a file that changes while it is sent', async () => {
    await expect(raw('/changing')).rejects.toThrow('aborted');
    expect((await raw('/large')).status).toBe(200);
  });

  test('explains a failing canister and goes on', async () => {
    const failed = await raw('/trap');
    expect(failed.status).toBe(500);
    expect(failed.body).toContain('This canister failed to answer');
    expect((await raw('/bad-header')).body).toContain('not a valid HTTP header');
    expect((await raw('/')).status).toBe(200);
  });
});

describe('a verified address', () => {
  test('serves what the canister certified, by host name or by query', async () => {
    expect(await visit(`${site}.localhost`, '/certified')).toMatchObject({ status: 200, body: 'trusted' });
  });

  test('refuses what is not certified and shows the way to the raw page', async () => {
    for (const page of [
      await visit(`${site}.localhost`, '/'),
      await visit('127.0.0.1', `/?canisterId=${site}`, { headers: { accept: '*/*' } }),
    ]) {
      expect(page.status).toBe(502);
      expect(page.body).toContain('This response could not be verified');
      expect(page.body).toContain(`${site}.raw.localhost:${network.port}/`);
    }
  });

  test('serves the answer of an update call, which the network has agreed on', async () => {
    const { status } = await visit(`${site}.localhost`, '/count', { method: 'POST', body: 'x' });
    expect(status).toBe(201);
  });
});

test('the interface for agents is there on the address of a canister, too', async () => {
  const { status, headers } = await visit(`${site}.localhost`, '/api/v2/status');
  expect([status, headers['content-type']]).toEqual([200, 'application/cbor']);
});

test('canisters without a page are explained in plain words', async () => {
  const canisters = management(agent);
  const { canister_id } = await canisters.provisional_create_canister_with_cycles({
    amount: [],
    settings: [],
  });
  const page = (): Promise<Page> => visit(`${canister_id}.raw.localhost`, '/');
  expect(await page()).toMatchObject({ status: 503, body: expect.stringContaining('has no code yet') });

  const wasm_module = compileMotoko('persistent actor { public query func hello() : async Text { "hi" } }');
  const arg = Uint8Array.from(Buffer.from('4449444c0000', 'hex'));
  await canisters.install_code({ mode: { install: null }, canister_id, wasm_module, arg });
  expect(await page()).toMatchObject({ status: 404, body: expect.stringContaining('has no web page') });

  await canisters.stop_canister({ canister_id });
  expect(await page()).toMatchObject({ status: 503, body: expect.stringContaining('is stopped') });

  await canisters.delete_canister({ canister_id });
  expect(await page()).toMatchObject({ status: 404, body: expect.stringContaining('There is no canister') });
});
