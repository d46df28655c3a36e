import { expect, test } from 'vitest';
import type { QueryMessage, QueryResult } from '../messages.ts';
import { packQueries, packResults, unpackQueries, unpackResults } from './query-batch.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

test('queries come out of a batch as they went in', () => {
  const plain: QueryMessage = { sender: bytes(4), canisterId: bytes(), method: 'list', arg: bytes() };
  const full: QueryMessage = {
    sender: bytes(1, 2, 3),
    canisterId: bytes(9, 9),
    effectiveCanisterId: bytes(9, 9),
    method: 'grüßen',
    arg: bytes(7, 7, 7, 7),
    dataCertificate: { certificate: bytes(5), certifiedData: bytes() },
    callerInfo: { data: bytes(), signer: bytes(8) },
  };
  const queries = [
    { id: 3, message: plain },
    { id: 4, message: full },
    { id: 5, message: { ...plain, stamped: true } },
    { id: 9, message: plain },
  ];
  const sent = structuredClone(packQueries(queries));
  expect(unpackQueries(sent)).toEqual(queries);
});

function sent(results: Parameters<typeof packResults>[0]): ReturnType<typeof packResults>['batch'] {
  const { batch, buffers } = packResults(results);
  return structuredClone(batch, { transfer: buffers });
}

test('results come out of a batch under the numbers of their queries', () => {
  const results: { id: number; result: QueryResult }[] = [
    { id: 1, result: { status: 'replied', reply: bytes(1, 2) } },
    { id: 5, result: { status: 'rejected', rejectCode: 4, message: 'no', errorCode: 'IC0406' } },
    { id: 2, result: { status: 'replied', reply: bytes() } },
    { id: 7, result: { status: 'stale-certificate' } },
    { id: 8, result: { status: 'replied', reply: bytes(3), stamp: { slot: 0, count: 0 } } },
    { id: 9, result: { status: 'replied', reply: bytes(4) } },
    { id: 10, result: { status: 'replied', reply: bytes(5), stamp: { slot: 7, count: -3 } } },
  ];
  const received: { id: number; result: QueryResult }[] = [];
  unpackResults(sent(results), (id, result) => received.push({ id, result }));
  expect(received).toEqual(results);
});

test('large replies change hands; of a buffer that holds more, a copy does', () => {
  const [whole, part] = [
    new Uint8Array(100_000).fill(1),
    new Uint8Array(200_000).subarray(0, 100_000).fill(2),
  ];
  const results = [whole, part, bytes(3)].map((reply, id) => ({
    id,
    result: { status: 'replied', reply, stamp: { slot: id, count: 9 } } satisfies QueryResult,
  }));
  const expected = results.map(({ id, result }) => ({
    id,
    result: { ...result, reply: result.reply.slice() },
  }));
  const received: { id: number; result: QueryResult }[] = [];
  unpackResults(sent(results), (id, result) => received.push({ id, result }));
  expect(received.toSorted((a, b) => a.id - b.id)).toEqual(expected);
  expect(whole.length).toBe(0);
  expect(part.length).toBe(100_000);
});
