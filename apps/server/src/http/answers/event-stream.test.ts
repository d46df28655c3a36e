import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLogger } from '../../log/logger.ts';
import { eventStream, type EventSink, OpenStreams } from './event-stream.ts';

const log = createLogger({ logLevel: 'silent' });

/** A stream that sends as long as somebody reads, and what was seen of it. */
function endless(slowMs: number) {
  const seen = { sent: 0, over: 0, ended: false };
  const stream = eventStream({
    log,
    slowMs,
    onOver: () => {
      seen.over += 1;
    },
    async write(sink: EventSink) {
      while (await sink.send({ type: 'changed', data: 'x'.repeat(1_000) })) seen.sent += 1;
      seen.ended = true;
    },
  });
  return { stream, seen };
}

test('a reader that does not read is let go, and what waits for it stays bounded', async () => {
  const { stream, seen } = endless(100);
  const closed = new Promise((resolve) => stream.once('close', resolve));
  await closed;
  await delay(0);
  expect(stream.destroyed).toBe(true);
  expect(seen).toEqual({ sent: expect.any(Number), over: 1, ended: true });
  // 64 kB of events of a kilobyte.
  expect(seen.sent).toBeGreaterThan(50);
  expect(seen.sent).toBeLessThan(70);
});

test('a reader that reads gets on, and one that leaves ends the stream', async () => {
  const { stream, seen } = endless(10_000);
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += (chunk as Buffer).length;
    if (bytes > 500_000) break;
  }
  await delay(0);
  expect([seen.over, seen.ended]).toEqual([1, true]);
});

test('events have a type, and an id where they get one; the stream ends with what writes it', async () => {
  const stream = eventStream({
    log,
    onOver: () => undefined,
    async write(sink) {
      await sink.send({ type: 'lines', id: 3, data: { text: 'a\nb' } });
      await sink.send({ type: 'end', data: {} });
      await sink.stayAwake();
    },
  });
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  expect(text).toBe('retry: 1000\n\nid: 3\nevent: lines\ndata: {"text":"a\\nb"}\n\nevent: end\ndata: {}\n\n');
});

test('streams have a number for each of what they count for; one that is over, however it ended, gives its place back', async () => {
  const open = new OpenStreams();
  const limits = [
    { of: 'user', most: 3, full: 'The user has too many.' },
    { of: 'session', most: 2, full: 'The session has too many.' },
  ];
  const start = (from = limits) => open.count(from, () => endless(10_000).stream);
  const first = start();
  start();
  expect(() => start()).toThrow('The session has too many.');
  const [user] = limits;
  const third = start(user && [user]);
  expect(() => start(user && [user])).toThrow('The user has too many.');
  first.destroy();
  third.destroy(new Error('cut'));
  third.on('error', () => undefined);
  await delay(10);
  start();
  expect(() => start()).toThrow('The session has too many.');
});
