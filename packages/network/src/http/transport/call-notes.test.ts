import { expect, test } from 'vitest';
import { CallNotes, plainRequestId } from './call-notes.ts';
import { clientAddress } from './client-address.ts';

const address = clientAddress('10.0.0.1');
const answered = { requestId: 'request-1', kind: 'call', status: 200, millis: 3.14, address } as const;

test('what was refused, failed or took long is noted; the rest where it is asked for', () => {
  const lines: string[] = [];
  const notes = new CallNotes((line) => lines.push(line));
  notes.note(answered);
  notes.note({ ...answered, status: 400 });
  notes.note({ ...answered, millis: 13_000 });
  notes.isThorough = true;
  notes.note(answered);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { request_id: 'request-1', asked_for: 'call', status: 400, ms: 3.1 },
    { request_id: 'request-1', asked_for: 'call', status: 200, ms: 13_000 },
    { request_id: 'request-1', asked_for: 'call', status: 200, ms: 3.1 },
  ]);
});

test('who calls wrongly on and on hides nobody else, and fills no log', () => {
  let now = 5_000;
  const lines: string[] = [];
  const notes = new CallNotes(
    (line) => lines.push(line),
    () => now,
  );
  for (let call = 0; call < 10_000; call += 1) notes.note({ ...answered, status: 400 });
  notes.note({ ...answered, status: 500, requestId: 'request-2', address: clientAddress('10.0.0.2') });
  expect([lines.length, lines.at(-1)]).toEqual([21, expect.stringContaining('request-2')]);
  for (let from = 0; from < 1_000; from += 1)
    notes.note({ ...answered, status: 400, address: clientAddress(`10.1.${from >> 8}.${from & 255}`) });
  expect(lines.length).toBe(200);
  now += 1_000;
  notes.note({ ...answered, status: 400 });
  expect(lines.length).toBe(201);
});

test('only a short, plain word is a name', () => {
  expect(plainRequestId('k3f9a2c-1x7')).toBe('k3f9a2c-1x7');
  for (const given of [
    undefined,
    '',
    'short',
    'x'.repeat(41),
    'a b c d e f g h',
    'abcdefgh"',
    ['abcdefgh', 'x'],
  ])
    expect(plainRequestId(given)).toBeUndefined();
});
