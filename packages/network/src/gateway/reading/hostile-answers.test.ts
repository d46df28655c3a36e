import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { utf8 } from '@cannery/ic/certification/bytes';
import { sha256 } from '@cannery/ic/certification/signatures/hash';
import { hostileAnswers } from '../../../test/hostile/hostile-answers.ts';
import { blob, page, piece, streamingPage, text } from '../../../test/hostile/hostile-pages.ts';
import { AnswerReaders } from './answer-readers.ts';
import type { Asked } from '../proof/claim.ts';
import type { Answer, Reading } from './read-answer.ts';

const canisterId = Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0, 1, 1);
const asked: Asked = { canisterId, method: 'GET', url: '/', headers: [], bodyHash: sha256() };
const MEGABYTE = 1024 ** 2;

/** What the thread that serves may work for one answer, in milliseconds of processor time; most is copying 2 MB. */
const MOST_MAIN_MILLIS = 100;

const pageAnswer = (reply: Uint8Array): Answer => ({ kind: 'page', reply, asked });
const zeros = (count: number): Uint8Array => new Uint8Array(count);

/** Why an answer is refused, or that it is not; a claim with a problem is refused when it is checked. */
async function refusal(reading: Promise<Reading>): Promise<string> {
  try {
    const read = await reading;
    const problem = 'claim' in read ? read.claim?.problem : undefined;
    return problem === undefined ? 'read' : `VerificationError: ${problem}`;
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

/** Where the guard that refuses an answer matters, not only that something does. */
const REASONS: Readonly<Record<string, string>> = {
  'endless headers of empty records': 'more than 256 items',
  '257 headers': 'more than 256 items',
  'a header of 1.8 MB': 'headers take more than',
  'headers of 129 kB together': 'headers take more than',
  'a header name of 300 letters': 'the name of a header is too long',
  'a table that claims 4 billion entries': 'too many values',
  'an unknown field of endless null': 'too many values',
  'records of records of nothing': 'too many values',
  'options 100,000 deep': 'nested more than',
  'a certificate of 1.3 MB of nodes': 'headers take more than',
  'a tree 20,000 labels deep': 'nested too deeply',
  'a signature of 40 kB': 'the certificate has no signature',
  'an expression of 120 kB of quotes': 'is too long',
  'an expression of 8 kB of quotes': 'is not understood',
  'gzip of 400 MB': 'it takes more than',
  'deflate of 100 MB': 'it takes more than',
  'a token of 100 kB': 'the streaming token is too long',
  'a token of endless nothing': 'too many values',
};

const readers = new AnswerReaders();

beforeAll(async () => {
  // Starts both threads, as they are after the first large file.
  const large = pageAnswer(page([], zeros(100_000)));
  await Promise.allSettled([readers.read('a', large as never), readers.read('b', large as never)]);
});

afterAll(() => readers.close());

describe('an answer that would take without bound is refused, while others are served', () => {
  test.each(hostileAnswers(canisterId))('%s', async (name, make) => {
    const { kind, reply } = make();
    const answer: Answer = kind === 'page' ? pageAnswer(reply) : { kind, reply };
    const before = process.threadCpuUsage();
    const probe = refusal(readers.read('hostile', answer as never));
    const others = readers.read<'page'>('other', { kind: 'page', reply: page([], zeros(100_000)) });
    expect((await others).response.body).toHaveLength(100_000);
    const refused = await probe;
    const { user, system } = process.threadCpuUsage(before);
    expect(refused).toMatch(/^(CandidError|VerificationError|BudgetError|ReaderError): /);
    expect(refused).toContain(REASONS[name] ?? '');
    expect((user + system) / 1000).toBeLessThan(MOST_MAIN_MILLIS);
  });
});

test('answers as sites give them are read', async () => {
  const { response } = await readers.read<'page'>('site', { kind: 'page', reply: page([['a', 'b']]) });
  expect(response).toMatchObject({ status: 200, headers: [['a', 'b']], streaming: undefined });
  const streaming = { kind: 'page', reply: streamingPage(canisterId, [], utf8('start')) } as const;
  expect((await readers.read<'page'>('site', streaming)).response.streaming?.method).toBe('next');
  const { chunk } = await readers.read<'piece'>('site', { kind: 'piece', reply: piece(utf8('more'), '1') });
  expect(Buffer.from(chunk?.body ?? []).toString()).toBe('more');
  expect(chunk?.nextArg).toBeDefined();
  const large = { kind: 'piece', reply: piece(zeros(2 * MEGABYTE)) } as const;
  expect((await readers.read<'piece'>('site', large)).chunk).toMatchObject({ nextArg: undefined });
});

test('the text helpers of these tests write what a library reads', () => {
  expect([...text('ab')]).toEqual([2, 97, 98]);
  expect([...blob(Uint8Array.of(1))]).toEqual([1, 1]);
});
