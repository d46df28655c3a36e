import { expect, test } from 'vitest';
import { CandidError } from '@cannery/candid/errors';
import type { CanisterHttpRequest } from '../proof/http-messages.ts';
import { VerificationError } from '../proof/verification-error.ts';
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

/** A body that is answered in pieces of `length` bytes from wherever it is asked; notes what is asked for. */
function answering(total: number, length: number, certified: (first: number) => boolean) {
  const asked: number[] = [];
  const first = range(`bytes 0-${length - 1}/${total}`, length);
  const ask = async ({ headers }: CanisterHttpRequest): Promise<PlainResponse> => {
    const at = Number(/bytes=(\d+)-/.exec(headers[0]?.[1] ?? '')?.[1]);
    asked.push(at);
    if (!certified(at)) throw new VerificationError('the canister does not certify it');
    const last = Math.min(at + length, total) - 1;
    return range(`bytes ${at}-${last}/${total}`, last - at + 1);
  };
  return { asked, pieces: completed(request, first, ask)?.pieces };
}

test('only the pieces that are wanted are asked for, where they begin at multiples of the first', async () => {
  const { asked, pieces } = answering(100, 10, (first) => first % 10 === 0);
  expect(await pieces?.at(3)).toMatchObject({ first: 0 });
  expect(await pieces?.at(45)).toMatchObject({ first: 40 });
  expect(await pieces?.at(49)).toMatchObject({ first: 40 });
  expect(await pieces?.at(50)).toMatchObject({ first: 50 });
  expect(await pieces?.at(99)).toMatchObject({ first: 90 });
  expect(asked).toEqual([40, 50, 90]);
});

test('where no piece begins at a place, all before it are asked for in their order', async () => {
  const { asked, pieces } = answering(100, 10, (first) => first < 30);
  expect(await pieces?.at(25)).toMatchObject({ first: 20 });
  await expect(pieces?.at(95)).rejects.toThrow('does not certify');
  expect(asked).toEqual([20, 90, 30]);
});

test('nothing that was not asked for is taken for a piece', async () => {
  const first = range('bytes 0-9/100', 10);
  const wrong = completed(request, first, async () => range('bytes 80-89/100', 10));
  await expect(wrong?.pieces.at(95)).rejects.toThrow('changed while it was read');
});
