import { describe, expect, test } from 'vitest';
import { doubleTexts } from '../../../network/test/double-texts.ts';
import { expectLinear } from '../../../network/test/expect-linear.ts';
import { readDecimal } from './decimal-text.ts';
import { BrokenStreamError, readEvents } from './event-stream.ts';

/** Reads all events of a stream that sends a text in pieces of this many characters. */
async function eventsOf(text: string, pieceLength: number): Promise<number> {
  const encoder = new TextEncoder();
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= text.length) return controller.close();
      controller.enqueue(encoder.encode(text.slice(at, at + pieceLength)));
      at += pieceLength;
    },
  });
  let count = 0;
  for await (const { data } of readEvents(body)) count += data.length;
  return count;
}

doubleTexts([
  {
    name: 'an amount',
    cap: 10_000,
    most: 100,
    read: readDecimal,
    texts: [
      ['', '1'],
      ['', '1.'],
      ['1.', '0', 'x'],
      ['', ' '],
      ['', ' ', 'x'],
      ['', ','],
    ],
  },
]);

describe('a stream of events', () => {
  test.each([
    ['one long line', 'a'],
    ['lines of data', 'data: a\n'],
    ['events', 'data: a\n\n'],
    ['line breaks', '\n'],
    ['carriage returns', '\r'],
  ])('twice as much takes at most twice the time: %s', async (_, part) => {
    const input = (size: number): string => part.repeat(size / part.length);
    await expectLinear({ input, read: (text) => eventsOf(text, 100), cap: 800_000 }, 5_000);
  });
});

test('an event without end is refused, however small its pieces are', async () => {
  const piece = new TextEncoder().encode('data: '.repeat(20_000));
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(piece) });
  const read = async (): Promise<void> => {
    for await (const event of readEvents(body)) expect(event).toBeUndefined();
  };
  await expect(read()).rejects.toThrow(BrokenStreamError);
});
