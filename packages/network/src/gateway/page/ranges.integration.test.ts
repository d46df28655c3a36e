import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLocalNetwork, type LocalNetwork } from '../../local-network.ts';
import { connect } from '../../../test/agent.ts';
import { askPage, type PageSeen } from '../../../test/ask-page.ts';
import { AssetSite, PIECE_BYTES } from '../../../test/canisters/asset-site.ts';

/** Ranges of files in a real asset canister: in one message, in pieces that are certified each, and as a stream. */

const text = Buffer.from('abcdefghijklmnopqrstuvwxyz');
const large = randomBytes(2 * PIECE_BYTES + 1_000_000);
const page = Buffer.from('<p>hello</p>'.repeat(1_000));
const packed = gzipSync(page);
const files: Readonly<Record<string, Buffer>> = {
  '/text.txt': text,
  // Its pieces are certified, each as the answer to a range.
  '/pieces.bin': large,
  // Uploaded in chunks of another length: only the whole is certified.
  '/stream.bin': large,
  '/empty.txt': Buffer.alloc(0),
};

let dataDir: string;
let network: LocalNetwork;
let site: AssetSite;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-ranges-'));
  network = await createLocalNetwork({ dataDir, port: 0 });
  site = await AssetSite.deploy(await connect(network.url, Ed25519KeyIdentity.generate()));
  const modified: [string, string] = ['last-modified', 'Wed, 21 Oct 2015 07:28:00 GMT'];
  await site.put('/text.txt', { content: text, type: 'text/plain', headers: [modified] });
  await site.put('/pieces.bin', { content: large });
  await site.put('/stream.bin', { content: large, chunkBytes: 1_500_000 });
  await site.put('/empty.txt', { content: files['/empty.txt'] ?? text });
  await site.put('/none.txt', { content: text, headers: [['accept-ranges', 'none']] });
  await site.put('/page.html', { content: page, type: 'text/html' }, [{ content: packed, encoding: 'gzip' }]);
});

afterAll(async () => {
  await network.close();
  rmSync(dataDir, { recursive: true });
});

const ask = (
  path: string,
  headers: Record<string, string>,
  more: { method?: string; host?: string } = {},
): Promise<PageSeen> => askPage({ port: network.port, host: site.host, path, headers, ...more });
const range = (path: string, value: string, headers = {}): Promise<PageSeen> =>
  ask(path, { range: `bytes=${value}`, ...headers });
const lengthOf = (path: string): number => files[path]?.length ?? 0;

/** The parts of a message, each with its range. */
function partsOf({ headers, body }: PageSeen): [string | undefined, Buffer][] {
  const boundary = /^multipart\/byteranges; boundary=(\w+)$/.exec(headers['content-type'] ?? '')?.[1];
  const [, ...parts] = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`);
  expect(parts.pop()).toBe('--\r\n');
  return parts.map((part) => {
    const end = part.indexOf('\r\n\r\n');
    return [/content-range: (.*)/.exec(part.slice(0, end))?.[1], Buffer.from(part.slice(end + 4), 'latin1')];
  });
}

/** Places that lie in one piece, in several, at the borders and at the ends; `length` is that of the file. */
const PLACES = (length: number): readonly (readonly [string, number, number])[] => {
  const half = Math.floor(length / 2);
  const border = Math.min(PIECE_BYTES, half);
  return [
    ['0-', 0, length - 1],
    ['0-0', 0, 0],
    ['1-9', 1, 9],
    [`${half}-${half + 9}`, half, half + 9],
    [`${border}-`, border, length - 1],
    [`${border - 1}-${border}`, border - 1, border],
    [`${border - 5}-${length - 2}`, border - 5, length - 2],
    [`${length - 1}-`, length - 1, length - 1],
    ['-1', length - 1, length - 1],
    ['-10', length - 10, length - 1],
    [`-${length * 2}`, 0, length - 1],
    [`5-${length * 2}`, 5, length - 1],
  ];
};

describe.each(['/text.txt', '/pieces.bin', '/stream.bin'])('%s', (path) => {
  test('has every range of one', async () => {
    const length = lengthOf(path);
    for (const [value, first, last] of PLACES(length)) {
      const { status, headers, body } = await range(path, value);
      expect([value, status, headers['content-range']]).toEqual([
        value,
        206,
        `bytes ${first}-${last}/${length}`,
      ]);
      expect(headers['content-length']).toBe(`${last - first + 1}`);
      expect(body.equals(files[path]?.subarray(first, last + 1) ?? text)).toBe(true);
      expect(headers).toMatchObject({ etag: expect.stringMatching(/^"/), 'accept-ranges': 'bytes' });
      // The certificate of the whole proves nothing of a part.
      expect(headers['ic-certificate']).toBeUndefined();
    }
  });

  test('has several ranges in one message, none twice', async () => {
    const length = lengthOf(path);
    const places = [`${length - 3}-${length - 2}`, '0-3', '2-5', '10-10'].join(',');
    const seen = await range(path, places);
    expect([seen.status, seen.headers['content-range']]).toEqual([206, undefined]);
    expect(seen.headers['content-length']).toBe(`${seen.body.length}`);
    expect(partsOf(seen)).toEqual([
      [`bytes 0-5/${length}`, files[path]?.subarray(0, 6)],
      [`bytes 10-10/${length}`, files[path]?.subarray(10, 11)],
      [`bytes ${length - 3}-${length - 2}/${length}`, files[path]?.subarray(length - 3, length - 1)],
    ]);
    const all = await range(path, '0-,0-,0-,0-,5-,-3');
    expect([all.status, all.headers['content-range']]).toEqual([206, `bytes 0-${length - 1}/${length}`]);
    expect(all.body).toHaveLength(length);
  });

  test('has nothing behind its end', async () => {
    const length = lengthOf(path);
    for (const value of [`${length}-`, `${length * 3}-${length * 4}`, '-0']) {
      const { status, headers } = await range(path, value);
      expect([value, status, headers['content-range']]).toEqual([value, 416, `bytes */${length}`]);
    }
  });

  test('is sent whole to whoever asks in another way, or has a part of another one', async () => {
    const length = lengthOf(path);
    const etag = (await ask(path, {}, { method: 'HEAD' })).headers.etag ?? '';
    const others: readonly Record<string, string>[] = [
      { range: 'lines=0-1' },
      { range: 'bytes=5-1' },
      { range: 'bytes=0-1', 'if-range': '"another"' },
      { range: 'bytes=0-1', 'if-range': `W/${etag}` },
    ];
    for (const headers of others) {
      const { status, headers: answered, body } = await ask(path, headers);
      expect([status, answered['content-range'], body.length]).toEqual([200, undefined, length]);
      expect(body.equals(files[path] ?? text)).toBe(true);
    }
    expect((await range(path, '0-1', { 'if-range': etag })).status).toBe(206);
    expect((await range(path, '0-1', { 'if-none-match': etag })).status).toBe(304);
  });

  test('tells that it has ranges, also to who asks for its head', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await ask(path, { range: 'lines=1-2' }, { method });
      expect([status, headers['accept-ranges']]).toEqual([200, 'bytes']);
      expect(headers['content-length']).toBe(`${lengthOf(path)}`);
    }
    const head = await ask(path, { range: 'bytes=0-1' }, { method: 'HEAD' });
    expect([head.status, head.headers['content-length']]).toEqual([200, `${lengthOf(path)}`]);
  });
});

test('a part goes by the date of the file as well', async () => {
  const part = await range('/text.txt', '0-1', { 'if-range': 'Wed, 21 Oct 2015 07:28:00 GMT' });
  expect([part.status, part.body.toString()]).toEqual([206, 'ab']);
  expect((await range('/text.txt', '0-1', { 'if-range': 'Wed, 21 Oct 2015 07:28:01 GMT' })).status).toBe(200);
});

test('an empty file has no ranges, and one whose canister wants none is sent whole', async () => {
  const empty = await range('/empty.txt', '0-');
  expect([empty.status, empty.headers['content-length']]).toEqual([200, '0']);
  const none = await range('/none.txt', '0-1');
  expect([none.status, none.headers['accept-ranges'], none.body.length]).toEqual([200, 'none', text.length]);
});

test('ranges are of the encoding that is sent', async () => {
  const asked = { 'accept-encoding': 'gzip' };
  const whole = await ask('/page.html', asked);
  expect(whole.body.equals(packed)).toBe(true);
  const part = await range('/page.html', '3-20', asked);
  expect([part.status, part.headers['content-encoding'], part.headers.vary]).toEqual([
    206,
    'gzip',
    'Accept-Encoding',
  ]);
  expect(part.headers['content-range']).toBe(`bytes 3-20/${packed.length}`);
  expect(part.body.equals(packed.subarray(3, 21))).toBe(true);
  const plain = await range('/page.html', '3-20');
  expect([plain.status, plain.headers['content-encoding'], plain.headers['content-range']]).toEqual([
    206,
    undefined,
    `bytes 3-20/${page.length}`,
  ]);
  // What is known of one encoding says nothing of the other.
  const other = await range('/page.html', '3-20', { 'if-range': whole.headers.etag ?? '' });
  expect([other.status, other.body.equals(page)]).toEqual([200, true]);
});

test('only what is there as a page is cut, and only what is certified', async () => {
  const missing = await range('/missing', '0-1');
  expect([missing.status, missing.headers['content-range']]).toEqual([404, undefined]);
  const raw = await ask('/text.txt', { range: 'bytes=0-1' }, { host: `${site.id}.raw.localhost` });
  expect([raw.status, raw.body.length, raw.headers['accept-ranges']]).toEqual([200, text.length, undefined]);
});

test('many readers get what they ask for at the same time', async () => {
  const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
  const places = Array.from({ length: 24 }, (_, at) => at * 190_000 + 7);
  const seen = await Promise.all(
    places.map((first) =>
      range(first % 2 === 1 ? '/pieces.bin' : '/stream.bin', `${first}-${first + 99_999}`),
    ),
  );
  expect(seen.map(({ body }) => hash(body))).toEqual(
    places.map((first) => hash(large.subarray(first, first + 100_000))),
  );
});
