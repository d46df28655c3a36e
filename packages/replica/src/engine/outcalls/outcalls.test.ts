import { IDL } from '@icp-sdk/core/candid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileMotoko } from '../../../../network/test/compile-motoko.ts';
import { principal, TestClient } from '../../../test/engine-client.ts';
import { Proxy } from '../../../test/canisters/proxy-canister.ts';
import { WebServer } from '../../../test/web-server.ts';

/** Asks the web and keeps only what every replica sees alike; says who called the transform function. */
const FETCHER = `
import Principal "mo:core/Principal";
import Blob "mo:core/Blob";
import CertifiedData "mo:core/CertifiedData";
persistent actor Fetcher {
  type Header = { name : Text; value : Text };
  type Response = { status : Nat; headers : [Header]; body : Blob };
  type Argument = { response : Response; context : Blob };
  type Request = {
    url : Text; max_response_bytes : ?Nat64; method : { #get; #head; #post; #put; #delete; #patch };
    headers : [Header]; body : ?Blob; is_replicated : ?Bool;
    transform : ?{ function : shared query Argument -> async Response; context : Blob };
  };
  transient let ic = actor "aaaaa-aa" : actor { http_request : Request -> async Response };

  public shared query ({ caller }) func strip({ response; context } : Argument) : async Response {
    {
      status = response.status;
      headers = [{ name = "caller"; value = Principal.toText(caller) }];
      body = Blob.fromArray(context.toArray());
    };
  };
  public query func large({ response } : Argument) : async Response {
    { response with body = ("0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789" : Blob) };
  };
  public query func certified({ response } : Argument) : async Response {
    let certificate = switch (CertifiedData.getCertificate()) { case null 0; case (?_) 1 };
    { response with headers = []; status = certificate };
  };
  public query func broken(_ : Argument) : async Response { assert false; loop {} };

  func send(url : Text, max : ?Nat64, function : shared query Argument -> async Response) : async Response {
    await (with cycles = 1_000_000_000_000) ic.http_request({
      url; max_response_bytes = max; method = #get; headers = []; body = null; is_replicated = null;
      transform = ?{ function; context = "kept" };
    });
  };
  public func stripped(url : Text) : async Response { await send(url, null, strip) };
  public func enlarged(url : Text) : async Response { await send(url, ?100, large) };
  public func uncertified(url : Text) : async Response { await send(url, null, certified) };
  public func failing(url : Text) : async Response { await send(url, null, broken) };
}`;

const Response = IDL.Record({
  status: IDL.Nat,
  headers: IDL.Vec(IDL.Record({ name: IDL.Text, value: IDL.Text })),
  body: IDL.Vec(IDL.Nat8),
});
interface Answer {
  status: bigint;
  headers: { name: string; value: string }[];
  body: Uint8Array;
}
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const CYCLES = 10n ** 12n;

describe('HTTP requests of canisters', { timeout: 120_000 }, () => {
  let client: TestClient;
  let web: WebServer;
  let proxy: Proxy;
  beforeAll(async () => {
    web = await WebServer.start(({ url, body }, response) => {
      if (url === '/redirect') response.writeHead(302, { location: '/plain' }).end();
      else if (url === '/echo') response.writeHead(201, { 'X-Twice': ['a', 'b'] }).end(body);
      else if (url === '/large') response.end(Buffer.alloc(3_000_000));
      else if (url === '/headers') {
        for (let n = 0; n < 70; n++) response.setHeader(`h${n}`, 'x');
        response.end();
      } else if (url === '/cut') response.destroy();
      else if (url !== '/never') response.end('hello');
    });
    client = await TestClient.start({ httpOutcalls: 'https-and-loopback' });
    proxy = await Proxy.deploy(client);
  });
  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await web[Symbol.asyncDispose]();
  });

  const request = (path: string, options: object = {}, cycles = CYCLES): Promise<Answer> => {
    const arg = { url: path.startsWith('/') ? web.url + path : path, method: { get: null }, headers: [] };
    return proxy.call('http_request', { ...arg, ...options }, cycles) as Promise<Answer>;
  };

  test('method, headers and body go out, and status, headers and body come back', async () => {
    const answer = await request('/echo', {
      method: { post: null },
      headers: [
        { name: 'X-Own', value: 'one' },
        { name: 'x-own', value: 'two' },
      ],
      body: utf8('ping'),
    });
    expect(answer.status).toBe(201n);
    expect(answer.body).toEqual(utf8('ping'));
    expect(answer.headers.filter(({ name }) => name === 'x-twice').map(({ value }) => value)).toEqual([
      'a',
      'b',
    ]);
    const seen = web.seen.at(-1);
    expect(seen).toMatchObject({ method: 'POST', url: '/echo', body: 'ping' });
    expect(seen?.headers).toMatchObject({ 'x-own': 'one, two', 'user-agent': 'ic/1.0' });
    await request('/plain', { headers: [{ name: 'User-Agent', value: 'mine' }] });
    expect(web.seen.at(-1)?.headers['user-agent']).toBe('mine');
  });

  test('a redirect is an answer, not followed; HEAD has no body; PUT needs one replica', async () => {
    const count = web.seen.length;
    expect((await request('/redirect')).status).toBe(302n);
    expect((await request('/plain', { method: { head: null } })).body).toHaveLength(0);
    expect(web.seen).toHaveLength(count + 2);
    await expect(request('/plain', { method: { put: null } })).rejects.toMatchObject({ rejectCode: 4 });
    await request('/plain', { method: { put: null }, is_replicated: false });
    expect(web.seen.at(-1)?.method).toBe('PUT');
  });

  test('the transform function gets response and context, is called by the management canister, and is bounded', async () => {
    const fetcher = await client.deploy(compileMotoko(FETCHER), { cycles: 10n ** 16n });
    const call = (method: string): Promise<Uint8Array> =>
      client.update(fetcher, method, new Uint8Array(IDL.encode([IDL.Text], [`${web.url}/plain`])));
    const [answer] = IDL.decode([Response], (await call('stripped')).slice()) as unknown as [Answer];
    expect(answer).toMatchObject({ status: 200n, headers: [{ name: 'caller', value: 'aaaaa-aa' }] });
    expect(answer.body).toEqual(utf8('kept'));
    const [seen] = IDL.decode([Response], (await call('uncertified')).slice()) as unknown as [Answer];
    expect(seen.status, 'data certificates it has').toBe(0n);
    await expect(call('enlarged')).rejects.toThrow(/exceeds (limit|specified response size limit)/);
    await expect(call('failing')).rejects.toThrow(/assertion failed|trapped/);
  });

  test('only the canister itself may transform', async () => {
    const transform = { function: [principal(new Uint8Array(10)), 'strip'], context: new Uint8Array(0) };
    await expect(request('/plain', { transform })).rejects.toThrow(/transform principal id expected to be/);
  });

  test('the size of responses is limited, with their headers', async () => {
    await expect(request('/large')).rejects.toMatchObject({
      rejectCode: 1,
      message: 'Http body exceeds size limit of 2000000 bytes.',
    });
    await expect(request('/plain', { max_response_bytes: 10n })).rejects.toThrow(/Header size exceeds/);
    await expect(request('/plain', { max_response_bytes: 2_000_001n })).rejects.toThrow(
      /max_response_bytes expected/,
    );
    await expect(request('/headers')).rejects.toThrow(/number of all http headers/);
  });

  test('requests that break a limit are refused before they are made', async () => {
    const count = web.seen.length;
    const header = (value: string): object => ({ headers: [{ name: 'a', value }] });
    await expect(request(`/${'x'.repeat(8192)}`)).rejects.toThrow(/url size .* exceeds 8192/);
    await expect(request('/plain', header('x'.repeat(8193)))).rejects.toThrow(/some http header value/);
    const many = { headers: Array.from({ length: 65 }, () => ({ name: 'a', value: 'b' })) };
    await expect(request('/plain', many)).rejects.toThrow(/number of all http headers 65 exceeds 64/);
    await expect(request('/plain', header('a\nb'))).rejects.toMatchObject({ rejectCode: 1 });
    await expect(request('not a url')).rejects.toThrow(/Failed to parse URL/);
    await expect(request('ftp://127.0.0.1/')).rejects.toThrow(/https scheme/);
    expect(web.seen).toHaveLength(count);
  });

  test('a connection that fails may be tried again', async () => {
    await expect(request('/cut')).rejects.toMatchObject({ rejectCode: 2 });
    await expect(request('https://127.0.0.1:1/')).rejects.toMatchObject({
      rejectCode: 2,
      message: expect.stringMatching(/^Connecting to 127.0.0.1 failed/) as string,
    });
  });

  test('other machines of the own network cannot be reached, nor plain http anywhere else', async () => {
    for (const url of [
      'https://10.0.0.1/',
      'https://169.254.169.254/',
      'https://[fd00::1]/',
      'http://1.1.1.1/',
    ]) {
      await expect(request(url)).rejects.toThrow(/not an address canisters may reach/);
    }
    await using strict = await TestClient.start({ httpOutcalls: 'https' });
    const own = await Proxy.deploy(strict);
    const ask = (url: string): Promise<unknown> =>
      own.call('http_request', { url, method: { get: null }, headers: [] }, CYCLES);
    await expect(ask(web.url)).rejects.toThrow(/https scheme/);
    await expect(ask('https://localhost/')).rejects.toThrow(/not an address canisters may reach/);
    await expect(ask('https://[::ffff:127.0.0.1]/')).rejects.toThrow(/not an address canisters may reach/);
  });

  test('it costs what the table says, and the rest of the cycles comes back', async () => {
    const url = `${web.url}/plain`;
    // 13 nodes: (3 M + 60 k x 13 + 400 x request bytes + 800 x response bytes) x 13.
    const fee = (3_000_000n + 780_000n + 400n * BigInt(url.length) + 800n * 1_000n) * 13n;
    const arg = { url, max_response_bytes: 1_000n, method: { get: null }, headers: [] };
    const counted = async (): Promise<bigint> =>
      (
        (await client.managementQuery('canister_metrics', { canister_id: principal(proxy.id) })) as {
          cycles_consumed: { http_outcalls: bigint };
        }
      ).cycles_consumed.http_outcalls;
    const before = await counted();
    const balance = await client.cycles(proxy.id);
    await proxy.call('http_request', arg, 10n ** 15n);
    expect((await counted()) - before).toBe(fee);
    expect(balance - (await client.cycles(proxy.id))).toBeLessThan(fee + 100_000_000n);
    await expect(proxy.call('http_request', arg, fee - 1n)).rejects.toThrow(
      `http_request request sent with ${fee - 1n} cycles, but ${fee} cycles are required.`,
    );
  });

  test('a request under way when the network stops is answered after the start', async () => {
    const arg = { url: `${web.url}/never`, method: { get: null }, headers: [] };
    const pending = proxy.call('http_request', arg, CYCLES);
    await expect.poll(() => web.seen.at(-1)?.url).toBe('/never');
    await client.restart();
    await expect(pending).rejects.toMatchObject({
      rejectCode: 2,
      message: 'Canister http request timed out',
    });
    expect((await request('/plain')).status).toBe(200n);
  });

  test('many at once are all answered, while the network goes on', async () => {
    const answers = await Promise.all(Array.from({ length: 150 }, () => request('/plain')));
    expect(answers.every(({ status }) => status === 200n)).toBe(true);
  });
});
