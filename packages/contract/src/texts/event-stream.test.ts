import { expect, test } from 'vitest';
import { BrokenStreamError, readEvents, type ServerEvent } from './event-stream.ts';

async function read(...chunks: readonly string[]): Promise<ServerEvent[]> {
  const bytes = chunks.map((chunk) => new TextEncoder().encode(chunk));
  const events: ServerEvent[] = [];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of bytes) controller.enqueue(chunk);
      controller.close();
    },
  });
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

test('events come whole, however the stream is cut', async () => {
  const text =
    'retry: 1000\n\nid: 3\nevent: lines\ndata: {"a":\ndata: "ü"}\n\n: quiet\n\nevent: end\ndata: x\n\n';
  const wanted = [
    { type: 'lines', data: '{"a":\n"ü"}', id: '3' },
    { type: 'end', data: 'x', id: '3' },
  ];
  expect(await read(text)).toEqual(wanted);
  expect(await read(...text)).toEqual(wanted);
  expect(await read(text.replaceAll('\n', '\r\n'))).toEqual(wanted);
});

test('an event that is cut off is none', async () => {
  expect(await read('data: whole\n\ndata: half')).toEqual([
    { type: 'message', data: 'whole', id: undefined },
  ]);
});

test('an event without an end is given up', async () => {
  const piece = `data: ${'x'.repeat(1024 * 1024)}\n`;
  await expect(read(...Array.from({ length: 20 }, () => piece))).rejects.toThrow(BrokenStreamError);
});
