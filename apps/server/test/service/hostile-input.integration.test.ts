import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { errorBody } from '@cannery/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { type Answer, ApiClient, answerOf } from '../support/client.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

let server: RunningServer;
let ada: ApiClient;
beforeAll(async () => {
  server = await startTestServer({ IC_URL: NO_NETWORK });
  ada = await ApiClient.signIn(server.url, 'ada');
});
afterAll(() => server.close());

/** Sends bytes as they are and answers status and body of what comes back. */
function raw(text: string | Buffer): Promise<{ status: number; body: unknown }> {
  const { port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const answer = Buffer.concat(chunks).toString('utf8');
      const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
      resolve({ status: Number(answer.split(' ')[1]), body: body === '' ? undefined : JSON.parse(body) });
    });
  });
}

function expectPlainRefusal(answer: { status: number; body: unknown }, status: number): void {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  const body = errorBody.strict().parse(answer.body);
  expect(body.message).toBe(body.error);
  expect(body.next_step).toMatch(/\.$/);
  expect(JSON.stringify(body)).not.toMatch(/node_modules|\.ts\b|at \w+ \(/);
}

const head = (line: string, ...headers: string[]) =>
  [
    line,
    'Host: localhost',
    'Connection: close',
    `Authorization: Bearer ${ada.token}`,
    ...headers,
    '',
    '',
  ].join('\r\n');

describe('[OP-52] every refusal says in plain words what is wrong and what to do', () => {
  test('JSON nested deeper than any call needs', async () => {
    const body = `{"name":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const answer = await fetch(`${server.url}/api/canister/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
      body,
    });
    expectPlainRefusal(await answerOf(answer), 400);
  });

  test.each([
    ['lists in each other', `{"name":${'['.repeat(100)}${']'.repeat(100)}}`],
    ['more values than any call has', `{"name":[${'1,'.repeat(30_000)}1]}`],
    ['more fields than any call has', `{${'"a":1,'.repeat(30_000)}"name":1}`],
  ])('%s are refused before any of them is made', async (_what, body) => {
    const answer = await fetch(`${server.url}/api/canister/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
      body,
    });
    const refused = await answerOf(answer);
    expectPlainRefusal(refused, 400);
    expect(refused.body).toMatchObject({
      message: 'The body of the call is nested too deeply, or has too many values.',
    });
  });

  test('a user who begins many bodies and ends none is told so, and others are answered', async () => {
    const eve = await ApiClient.signIn(server.url, 'eve');
    const sockets: Socket[] = [];
    let refused = 0;
    for (let count = 0; count < 130; count += 1) {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => (refused += chunk.toString().startsWith('HTTP/1.1 429') ? 1 : 0));
      const lines = ['Content-Type: application/json', 'Content-Length: 60000'];
      const start = head('POST /api/canister/create HTTP/1.1', ...lines).replace('Connection: close\r\n', '');
      socket.write(start.replace(ada.token, eve.token));
      socket.write(' '.repeat(50_000));
    }
    await expect.poll(() => refused, { timeout: 20_000 }).toBe(30);
    expect((await fetch(`${server.url}/api/config`)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  test.each([
    ['a body that is no JSON', 400, 'application/json', '{"name":'],
    ['a key that would change the prototype', 400, 'application/json', '{"__proto__":{"name":"x"}}'],
    ['another content type', 400, 'text/plain', 'name=x'],
    ['a JSON body above 1 MiB', 413, 'application/json', `{"name":"${'x'.repeat(1_100_000)}"}`],
    ['a body that is an array', 400, 'application/json', '[]'],
    ['a body that is null', 400, 'application/json', 'null'],
  ])('%s', async (_what, status, type, body) => {
    const answer = await fetch(`${server.url}/api/canister/start`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': type },
      body,
    });
    expectPlainRefusal(await answerOf(answer), status);
  });

  test.each([
    ['an address that is no valid encoding', 400, '/api/canister/status/%E0%A4%A'],
    ['an unknown call', 404, '/api/no/such/call'],
    ['an id longer than any', 404, `/api/canister/status/${'x'.repeat(5000)}`],
    ['a query that means nothing', 400, '/api/canister/status/x?real_time=maybe'],
    ['a query given twice', 400, '/api/canister/status/x?real_time=true&real_time=true'],
  ])('%s', async (_what, status, path) => {
    expectPlainRefusal(await raw(head(`GET ${path} HTTP/1.1`)), status);
  });

  test.each([
    ['a request line that is none', 400, 'NONSENSE\r\n\r\n'],
    ['headers that are too large', 413, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(16_500)}`],
    [
      'two lengths',
      400,
      'POST /api/health HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    ],
  ])('%s', async (_what, status, text) => {
    expectPlainRefusal(await raw(text), status);
  });

  test.each([
    ['an upload without boundary', 'multipart/form-data', 'x'],
    [
      'an upload that ends in the middle',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="wasm"; filename="a.wasm"\r\n\r\n\0asm',
    ],
    [
      'an upload with broken headers',
      'multipart/form-data; boundary=b',
      '--b\r\nnonsense\r\n\r\nx\r\n--b--\r\n',
    ],
    ['an upload without a part', 'multipart/form-data; boundary=b', '--b--\r\n'],
  ])('%s', async (_what, type, body) => {
    const answer = await raw(
      head('POST /api/document/upload HTTP/1.1', `Content-Type: ${type}`, `Content-Length: ${body.length}`) +
        body,
    );
    expectPlainRefusal(answer, 400);
  });
});

describe('[API-20] hostile uploads', () => {
  const upload = (bytes: Uint8Array): Promise<Answer> => ada.upload('/document/upload', 'wasm', bytes);
  const HEADER = Buffer.from([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);

  test('a large file that is no module is refused before it is stored', async () => {
    const answer = await upload(randomBytes(30 * 1024 * 1024));
    expectPlainRefusal(answer, 400);
    expect(answer.body.code).toBe('invalid_wasm');
  });

  test('a form that never comes to its file is cut off, not read on and on', async () => {
    const text = head(
      'POST /api/document/upload HTTP/1.1',
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 10000000000',
    );
    const { port } = new URL(server.url);
    const socket = connect(Number(port), '127.0.0.1');
    const answer: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => answer.push(chunk));
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(text);
    const junk = Buffer.alloc(1024 * 1024, 'x');
    const send = (): void => {
      while (!socket.destroyed && socket.write(junk));
    };
    socket.on('drain', send);
    send();
    await closed;
    // What the sockets of both sides hold comes on top of what the server reads.
    expect(socket.bytesWritten).toBeLessThan(130 * 1024 * 1024);
    // A client that writes without reading may lose the answer with its connection.
    expect(Buffer.concat(answer).toString()).toMatch(/^(?:HTTP\/1\.1 413 |$)/);
  });

  test('a packed module that unpacks to more than the network takes is refused', async () => {
    const bomb = gzipSync(Buffer.concat([HEADER, Buffer.alloc(101 * 1024 * 1024)]), { level: 1 });
    expectPlainRefusal(await upload(bomb), 413);
    // Several packed parts one after the other unpack to one.
    const part = gzipSync(Buffer.alloc(30 * 1024 * 1024), { level: 1 });
    const parts = Buffer.concat([gzipSync(HEADER), part, part, part, part]);
    expectPlainRefusal(await upload(parts), 413);
  });

  test('packed bytes that are no module, damaged or cut are refused', async () => {
    const packed = gzipSync(Buffer.concat([HEADER, randomBytes(10_000)]));
    const damaged = Buffer.from(packed);
    damaged.writeUInt32LE(0, damaged.length - 8);
    for (const bytes of [gzipSync(Buffer.from('<html></html>')), packed.subarray(0, 5000), damaged]) {
      const answer = await upload(bytes);
      expectPlainRefusal(answer, 400);
      expect(answer.body.code).toBe('invalid_wasm');
    }
  });
});

describe('names of other hosts lead nowhere', () => {
  const paths = [
    '/',
    '/api/settings',
    '/api/user',
    '/login',
    '/candid/?id=aaaaa-aa',
    '/git/ada/x.git/info/refs',
    '/nothing',
  ];
  const foreign = [
    'Host: evil.example',
    'Host: 127.0.0.1.nip.io',
    'Host: localhost.evil.example',
    'Host: user@localhost',
    'Host: 0.0.0.0',
    'Host: localhost\r\nHost: evil.example',
    'Host: evil.example\r\nX-Forwarded-Host: localhost',
  ];
  const ask = async (path: string, host: string): Promise<string> => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(
      `GET ${path} HTTP/1.1\r\n${host}\r\nAuthorization: Bearer ${ada.token}\r\nConnection: close\r\n\r\n`,
    );
    return Buffer.concat((await socket.toArray()) as Buffer[]).toString();
  };

  test.each(paths)('GET %s', async (path) => {
    for (const host of foreign) {
      const answer = await ask(path, host);
      expect(answer, host).toMatch(/^HTTP\/1\.1 421 /);
      expect(answer).toContain('set PUBLIC_URL');
    }
    for (const host of ['localhost', 'LOCALHOST.:80', '127.0.0.1', '[::1]:4000', 'console.localhost']) {
      expect(await ask(path, `Host: ${host}`), host).not.toMatch(/^HTTP\/1\.1 421 /);
    }
  });
});
