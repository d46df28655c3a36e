import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { assetCanisterWasm } from '../index.ts';
import { AssetClient } from './asset-client.ts';
import { upload } from './operations.ts';

const PIECE = 1_900_000;
const content = randomBytes(2 * PIECE + 1000);

let client: AssetClient;
beforeAll(async () => {
  await assetCanisterWasm();
  client = await AssetClient.install();
  upload(client, '/movie.mp4', content);
}, 120_000);

function part(range: string, more: [string, string][] = []) {
  return client.get('/movie.mp4', [['Range', range], ...more]);
}

describe('parts of a large body', () => {
  test('a client that follows the ranges gets every byte, each part certified', () => {
    const parts: Uint8Array[] = [];
    for (let at = 0; at < content.length; ) {
      const answer = part(`bytes=${at}-`);
      const end = at + answer.body.length;
      expect([answer.status, answer.headers.get('content-range'), answer.calls]).toEqual([
        206,
        `bytes ${at}-${end - 1}/${content.length}`,
        1,
      ]);
      parts.push(answer.body);
      at = end;
    }
    expect(parts.map(({ length }) => length)).toEqual([PIECE, PIECE, 1000]);
    expect(Buffer.compare(Buffer.concat(parts), content)).toBe(0);
  });

  test.each([
    'bytes=5-',
    'bytes=0-99',
    `bytes=${content.length}-`,
    'bytes=-100',
    'bytes=0-,5-',
    'lines=0-',
    '',
  ])('the range %j is answered with the whole', (range) => {
    const answer = client.http('/movie.mp4', [['Range', range]]);
    expect([answer.status, answer.body.length]).toEqual([200, content.length]);
    expect(answer.headers.get('accept-ranges')).toBe('bytes');
  });

  test('the verifier refuses a part with a changed byte, another range or for the whole', () => {
    const range: [string, string] = ['Range', `bytes=${PIECE}-`];
    const answer = client.http('/movie.mp4', [range]);
    const verify = (change: Partial<typeof answer>, headers: [string, string][] = [range]) =>
      client.verify('/movie.mp4', { ...answer, ...change }, 2, headers);
    expect(verify({}).get('content-range')).toBe(`bytes ${PIECE}-${2 * PIECE - 1}/${content.length}`);
    const changed = Uint8Array.from(answer.body);
    changed[7] = (changed[7] ?? 0) ^ 1;
    expect(() => verify({ body: changed })).toThrow();
    expect(() => verify({ status: 200 })).toThrow();
    expect(() => verify({}, [['Range', 'bytes=0-']])).toThrow();
    expect(() => verify({}, [])).toThrow();
  });

  test('a condition on the content decides between the part and the whole', () => {
    const etag = part('bytes=0-').headers.get('etag') ?? '';
    expect(part('bytes=0-', [['If-Range', etag]]).status).toBe(206);
    const other: [string, string][] = [
      ['Range', 'bytes=0-'],
      ['If-Range', '"other"'],
    ];
    expect(client.http('/movie.mp4', other).status).toBe(200);
    expect(part('bytes=0-', [['If-None-Match', etag]]).status).toBe(304);
  });

  test('only a GET in version 2 gets a part', () => {
    const range: [string, string][] = [['Range', 'bytes=0-']];
    expect(client.http('/movie.mp4', range, [2], 'HEAD').status).toBe(200);
    expect(client.http('/movie.mp4', range, [1]).status).toBe(200);
  });

  test('parts are still certified after an upgrade', () => {
    client.host.upgrade();
    expect(part(`bytes=${2 * PIECE}-`).body).toEqual(Uint8Array.from(content.subarray(2 * PIECE)));
  });

  test('small bodies, and those uploaded in other chunks, are answered as a whole', () => {
    client.store('/small', 'small', 'text/plain');
    upload(client, '/odd', content.subarray(0, PIECE + 5), 1_000_000);
    for (const url of ['/small', '/odd']) {
      const answer = client.get(url, [['Range', 'bytes=0-']]);
      expect([answer.status, answer.headers.has('accept-ranges')]).toEqual([200, false]);
    }
  });
});
