import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { hostileModules } from '../support/hostile-modules.ts';
import { carriers, hostilePictures, MARK } from './hostile-pictures.ts';
import { custom, moduleOf } from '../support/modules.ts';
import { pngOf } from '../support/pictures.ts';
import { NO_NETWORK } from '../support/server.ts';
import { type Program, startProduct } from '../support/server-process.ts';

let dataDir: string;
let product: Program;
let eve: ApiClient;
let before: number;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cannery-hostile-uploads-'));
  product = await startProduct({ DATA_DIR: dataDir, IC_URL: NO_NETWORK });
  eve = await ApiClient.signIn(product.url, 'eve');
  // Whatever is loaded at the first upload is loaded now.
  for (const colour of ['one', 'two', 'six']) await eve.uploadIcon(pngOf(colour));
  await eve.uploadWasm(moduleOf({ exports: ['canister_query a'] }));
  before = megabytes('VmRSS');
});
afterAll(async () => {
  await product?.kill('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

/** Memory of the server in MB; VmRSS is now, VmHWM the most there was. */
function megabytes(what: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${product.child.pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024);
}

async function kept(): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();
}

const uploads = {
  wasm: (bytes: Uint8Array) => eve.upload('/document/upload', 'wasm', bytes),
  icon: (bytes: Uint8Array) => eve.upload('/document/upload/icon', 'icon', bytes, 'icon.png'),
};

describe.each([
  ['[API-20]', 'wasm', hostileModules],
  ['[API-21] [VAL-18]', 'icon', hostilePictures],
] as const)('%s what is no %s is refused with a reason, and nothing of it is kept', (_ids, kind, files) => {
  test.each(files)('%s', async (_what, bytes, code) => {
    const earlier = await kept();
    const { status, body } = await uploads[kind](bytes);
    expect([status, body.code], JSON.stringify(body)).toEqual([
      code === 'payload_too_large' ? 413 : 400,
      code,
    ]);
    expect(body.message).toMatch(/^[A-Z].*\.$/);
    expect(body.next_step).toMatch(/\.$/);
    // A reason may quote the file, but not break a line or turn the direction of a text.
    expect(JSON.stringify(body)).not.toMatch(/\\n|\\u0000|[\u202a-\u202e\u2066-\u2069]/);
    expect(await kept()).toEqual(earlier);
  });
});

describe('[API-21] [API-22] of a picture that carries something else only pixels are kept', () => {
  test.each(carriers)('%s', async (_what, bytes) => {
    const identifier = await eve.uploadIcon(bytes);
    const stored = await readFile(join(dataDir, 'blobs', identifier.slice(0, 2), identifier));
    expect(stored.includes(MARK)).toBe(false);
    expect(stored.length).toBeLessThan(300_000);
    const chunks: string[] = [];
    for (let at = 8; at < stored.length; at += 12 + stored.readUInt32BE(at)) {
      chunks.push(stored.toString('latin1', at + 4, at + 8));
    }
    expect([...new Set(chunks)]).toEqual(['IHDR', 'IDAT', 'IEND']);
  });
});

describe('names and types of a file decide nothing', () => {
  const names = [
    '../../../../etc/cron.d/own',
    '..\\..\\windows\\system32\\own.dll',
    '/etc/passwd',
    'file:///etc/passwd',
    'icon.png%00.svg',
    '\u202egnp.exe',
    '\u2066icon\u2069.png',
    '<img src=x onerror=alert(1)>.png',
    "'; drop table documents; --",
    '$(id).png',
    '__proto__',
    'CON',
    '.',
    `${'long'.repeat(2000)}.png`,
    ' ',
  ];
  test.each(names)('a file called %j', async (name) => {
    const earlier = await kept();
    const { status, body } = await eve.upload('/document/upload/icon', 'icon', pngOf('one'), name);
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual(['data', 'identifier']);
    expect(await kept()).toEqual(earlier);
  });

  const types = ['image/svg+xml', 'text/html', 'application/x-sh', 'image/png; charset=utf-7', 'nonsense'];
  test.each(types)('a picture of the type %s is drawn, a page of the type is not', async (type) => {
    const send = async (bytes: Buffer): Promise<Response> => {
      const form = new FormData();
      form.append('icon', new Blob([Uint8Array.from(bytes)], { type }), 'icon.png');
      return fetch(`${product.url}/api/document/upload/icon`, {
        method: 'POST',
        headers: { authorization: `Bearer ${eve.token}` },
        body: form,
      });
    };
    expect((await send(pngOf('one'))).status).toBe(200);
    expect((await send(Buffer.from(MARK))).status).toBe(400);
  });
});

test('an upload of which 10 GB are announced is refused at once', async () => {
  const { port } = new URL(product.url);
  const socket = connect(Number(port), '127.0.0.1');
  const answer: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => answer.push(chunk));
  const started = performance.now();
  socket.write(
    [
      'POST /api/document/upload HTTP/1.1',
      `Host: localhost:${port}`,
      `Authorization: Bearer ${eve.token}`,
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 10000000000',
      '',
      '--b\r\nContent-Disposition: form-data; name="wasm"; filename="a"\r\n\r\n\0asm',
    ].join('\r\n'),
  );
  await new Promise((resolve) => socket.once('close', resolve));
  expect(Buffer.concat(answer).toString()).toMatch(/^HTTP\/1\.1 413 /);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('after all of them the server has the memory it had, and works', async () => {
  const module = moduleOf({ exports: ['canister_query a'], after: [custom('after all')] });
  const identifier = await eve.uploadWasm(module);
  expect(await kept()).toContain(identifier);
  const [after, most] = [megabytes('VmRSS'), megabytes('VmHWM')];
  console.info(`Memory of the server: ${before} MB before, ${after} MB after, ${most} MB at most`);
  expect(after - before).toBeLessThan(150);
});
