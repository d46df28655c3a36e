import { expect, test } from 'vitest';
import { CandidError } from '@cannery/candid/errors';
import type { CanisterHttpRequest } from '../proof/http-messages.ts';
import { completed, type PlainResponse } from './partial-response.ts';

const request: CanisterHttpRequest = { method: 'GET', url: '/', headers: [], body: new Uint8Array() };
const range = (value: string, length: number): PlainResponse => ({
  status: 206,
  headers: [['Content-Range', value]],
  body: new Uint8Array(length),
});

/** Answers each range with one byte of a body of this length. */
const byteByByte = async (asked: CanisterHttpRequest, total: number): Promise<PlainResponse> => {
  const first = Number(/bytes=(\d+)-/.exec(asked.headers[0]?.[1] ?? '')?.[1]);
  return range(`bytes ${first}-${first}/${total}`, 1);
};

test('a body of very many pieces ends, whatever its canister says of its length', async () => {
  const total = 8_000_000_000;
  const partial = completed(request, range(`bytes 0-0/${total}`, 1), (asked) => byteByByte(asked, total));
  let pieces = 0;
  const all = async (): Promise<void> => {
    for await (const piece of partial?.rest ?? []) pieces += piece.length;
  };
  await expect(all()).rejects.toThrow('too many pieces');
  expect(pieces).toBe(4_096);
});

test.each([
  'bytes 0-0/9000000000',
  'bytes 0-0/9007199254740993',
  'bytes 0-0/99999999999999999999',
  'bytes 0-0/1e9',
  'bytes 0-0/*',
  'bytes 0-0/',
  'bytes 0-0',
  'bytes 0-0/2/2',
  'bytes -0-0/2',
  'bytes 0-1/2',
  'bytes 0-0/0',
  'bytes 0-0/0x10',
  'bytes  0-0/2',
  'Bytes 0-0/2',
  '0-0/2',
  '',
  `bytes 0-0/${'1'.repeat(100_000)}`,
])('the range %j is refused', (value) => {
  const never = (): Promise<PlainResponse> => Promise.reject(new Error('asked'));
  expect(() => completed(request, range(value, 1), never)).toThrow(CandidError);
});

test('pieces that overlap or leave something out end the body', async () => {
  for (const answer of ['bytes 0-0/10', 'bytes 2-2/10', 'bytes 1-1/11']) {
    const partial = completed(request, range('bytes 0-0/10', 1), async () => range(answer, 1));
    const next = partial?.rest[Symbol.asyncIterator]().next();
    await expect(next).rejects.toThrow('changed while it was read');
  }
});
