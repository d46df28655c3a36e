import { describe, expect, test } from 'vitest';
import type { Header } from '../proof/http-messages.ts';
import { isOfBody, parseRanges, rangesAsked, resolveRanges } from './byte-ranges.ts';

/** The bytes of a body of 100 that a header asks for; undefined where it is ignored. */
const of100 = (value: string): readonly string[] | undefined => {
  const specs = parseRanges(value);
  return specs && resolveRanges(specs, 100).map(({ first, last }) => `${first}-${last}`);
};

describe('a Range header', () => {
  test.each([
    ['bytes=0-0', ['0-0']],
    ['bytes=0-', ['0-99']],
    ['bytes=10-19', ['10-19']],
    ['bytes=90-200', ['90-99']],
    ['bytes=99-', ['99-99']],
    ['bytes=-1', ['99-99']],
    ['bytes=-100', ['0-99']],
    ['bytes=-101', ['0-99']],
    ['Bytes=1-2', ['1-2']],
    ['bytes=1-2, 4-5', ['1-2', '4-5']],
    ['bytes=1-2,,\t4-5 ,', ['1-2', '4-5']],
    ['bytes=4-5,1-2', ['1-2', '4-5']],
    ['bytes=1-3,2-5', ['1-5']],
    ['bytes=1-2,3-4', ['1-4']],
    ['bytes=0-,-1,5-6', ['0-99']],
    ['bytes=0-0,-1', ['0-0', '99-99']],
    ['bytes=50-60,200-300', ['50-60']],
    [`bytes=5-${'9'.repeat(500)}`, ['5-99']],
    [`bytes=-${'9'.repeat(500)}`, ['0-99']],
    [`bytes=${Array.from({ length: 16 }, (_, at) => `${at * 2}-${at * 2}`).join()}`, expect.any(Array)],
  ])('%j asks for %j', (value, ranges) => {
    expect(of100(value)).toEqual(ranges);
  });

  test.each(['bytes=100-', 'bytes=100-200', 'bytes=-0', `bytes=${'9'.repeat(500)}-`, 'bytes=100-,-0'])(
    '%j asks for nothing that is there',
    (value) => {
      expect(of100(value)).toEqual([]);
    },
  );

  test.each([
    'bytes=',
    'bytes',
    'bytes=-',
    'bytes=,',
    'bytes=5-4',
    'bytes=1-2,5-4',
    'bytes=a-b',
    'bytes=1-2-3',
    'bytes=--1',
    'bytes=+1-2',
    'bytes=0x1-2',
    'bytes=1e1-20',
    'bytes=1.0-2',
    'bytes=1 -2',
    'bytes = 1-2',
    'bytes:1-2',
    'lines=1-2',
    'bytes=1-2;3-4',
    '1-2',
    '',
    `bytes=${Array.from({ length: 17 }, (_, at) => `${at * 2}-${at * 2}`).join()}`,
    `bytes=0-1${','.repeat(1_000)}`,
  ])('%j is ignored', (value) => {
    expect(parseRanges(value)).toBeUndefined();
  });
});

const asked = (headers: readonly Header[], method = 'GET'): ReturnType<typeof rangesAsked> =>
  rangesAsked({ method, url: '/', headers, body: new Uint8Array() });

test('ranges are for GET, and of one header', () => {
  expect(asked([['range', 'bytes=0-1']])?.specs).toHaveLength(1);
  for (const method of ['HEAD', 'POST', 'get'])
    expect(asked([['range', 'bytes=0-1']], method)).toBeUndefined();
  const twice: Header[] = [
    ['range', 'bytes=0-1'],
    ['range', 'bytes=2-3'],
  ];
  expect(asked(twice)).toBeUndefined();
  expect(asked([['if-range', '"a"']])).toBeUndefined();
});

describe('If-Range', () => {
  const now = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');
  const holds = (condition: string, ...headers: readonly Header[]): boolean | undefined => {
    const ranges = asked([
      ['range', 'bytes=0-1'],
      ['if-range', condition],
    ]);
    return ranges && isOfBody(ranges, headers, now);
  };
  const modified = 'Wed, 21 Oct 2026 07:27:00 GMT';

  test('holds for the very ETag, or the very date', () => {
    expect(holds('"a"', ['ETag', '"a"'])).toBe(true);
    expect(holds(modified, ['Last-Modified', modified])).toBe(true);
  });

  test.each<[string, ...Header[]]>([
    ['"a"', ['ETag', '"b"']],
    ['"a"'],
    ['W/"a"', ['ETag', 'W/"a"']],
    ['W/"a"', ['ETag', '"a"']],
    ['"a"', ['ETag', 'W/"a"']],
    ['"a", "b"', ['ETag', '"a"']],
    ['*', ['ETag', '"a"']],
    ['', ['ETag', '']],
    [modified],
    [modified, ['Last-Modified', 'Wed, 21 Oct 2026 07:26:59 GMT']],
    ['Wed, 21 Oct 2026 07:28:00 GMT', ['Last-Modified', 'Wed, 21 Oct 2026 07:28:00 GMT']],
    ['yesterday', ['Last-Modified', 'yesterday']],
  ])('%j does not hold for %j', (condition, ...headers) => {
    expect(holds(condition, ...headers)).toBe(false);
  });

  test('more than one of them hold for nothing', () => {
    const two = asked([
      ['range', 'bytes=0-1'],
      ['if-range', '"a"'],
      ['if-range', '"a"'],
    ]);
    expect(two && isOfBody(two, [['etag', '"a"']])).toBe(false);
  });
});
