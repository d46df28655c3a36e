import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { PlainWords } from './plain-words.ts';
import { messageOf } from './push-commands.ts';

const packet = (text: string) =>
  Buffer.from((Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text, 'latin1');
const WORDS = messageOf(['The disk of the server is full. Nothing was saved.']);

async function through(answer: Buffer, piece: number): Promise<Buffer> {
  const words = new PlainWords();
  const read = buffer(words);
  for (let at = 0; at < answer.length; at += piece) words.write(answer.subarray(at, at + piece));
  words.end();
  return read;
}

const progress = packet('\u0002Receiving objects: 10%\r');
const failure = packet('\u0002fatal: write error: No space left on device\n');
const report = packet('\u0001000eunpack x\n0000');
const end = Buffer.from('0000');

test.each([1, 3, 7, 64, 100_000])(
  'in pieces of %i bytes the words come once, before those of git',
  async (piece) => {
    const answer = Buffer.concat([progress, failure, failure, report, end]);
    const shown = Buffer.concat([progress, WORDS, failure, failure, report, end]);
    expect(await through(answer, piece)).toEqual(shown);
  },
);

test('a shallow push is told what to do, before the report', async () => {
  const refusal = packet('\u0001000eunpack ok\n0033ng refs/heads/main shallow update not allowed\n0000');
  const words = messageOf([
    'Your clone is shallow, and this host keeps whole histories. Fetch the whole history first: git fetch --unshallow. Then push again.',
  ]);
  for (const piece of [1, 7, 1000]) {
    const answer = Buffer.concat([progress, refusal, end]);
    expect(await through(answer, piece)).toEqual(Buffer.concat([progress, words, refusal, end]));
  }
});

test.each([
  ['no failure', Buffer.concat([progress, report, end])],
  ['the words in a report', Buffer.concat([packet('\u0001No space left on device'), end])],
  ['no packets', Buffer.from('<html>No space left on device</html>')],
  ['half a packet at the end', Buffer.concat([progress, failure.subarray(0, 9)])],
  ['a length beyond the protocol', Buffer.from('ffff\u0002No space left on device')],
  ['nothing', Buffer.alloc(0)],
])('%s passes as it is', async (_name, answer) => {
  for (const piece of [1, 5, 1000]) expect(await through(answer, piece)).toEqual(answer);
});
