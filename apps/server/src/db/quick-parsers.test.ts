import pg from 'pg';
import { expect, test } from 'vitest';
import { readMoment, readTexts, TEXTS, TIMESTAMPTZ } from './quick-parsers.ts';

test.each([
  ['2026-11-30 15:50:25+00', '2026-11-30T15:50:25.000Z'],
  ['2026-11-30 15:50:25.6+00', '2026-11-30T15:50:25.600Z'],
  // 1000 * 0.57 is less than 570, by which the parser of pg loses a millisecond.
  ['2026-11-30 15:50:25.57+00', '2026-11-30T15:50:25.570Z'],
  ['2026-02-28 23:59:59.999999+00', '2026-02-28T23:59:59.999Z'],
  ['0050-01-01 00:00:00+00', '0050-01-01T00:00:00.000Z'],
  ['2026-11-30 15:50:25.633+05:30', '2026-11-30T10:20:25.633Z'],
])('reads the moment %s', (text, iso) => {
  expect((readMoment(text) as Date).toISOString()).toBe(iso);
});

test.each(['infinity', '-infinity', '12026-11-30 15:50:25+00', '0044-03-15 12:00:00+00 BC'])(
  'reads the moment %s as pg does',
  (text) => {
    expect(readMoment(text)).toEqual(pg.types.getTypeParser(TIMESTAMPTZ, 'text')(text));
  },
);

test.each([
  '{}',
  '{a}',
  '{a,b c,ü}',
  '{"a,b",c}',
  '{"say \\"so\\"","\\\\"}',
  '{NULL,a}',
  '{"NULL"}',
  '{nullable,a}',
  '{""}',
  '{{a,b},{c,d}}',
  '[0:1]={a,b}',
])('reads the texts %s as pg does', (text) => {
  expect(readTexts(text)).toEqual(pg.types.getTypeParser(TEXTS, 'text')(text));
});
