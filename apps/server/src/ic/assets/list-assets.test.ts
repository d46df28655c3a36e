import { IDL } from '@icp-sdk/core/candid';
import { expect, test } from 'vitest';
import { listAssets, listLimits } from './list-assets.ts';

const Entry = IDL.Record({
  key: IDL.Text,
  content_type: IDL.Text,
  encodings: IDL.Vec(IDL.Record({ content_encoding: IDL.Text, sha256: IDL.Opt(IDL.Vec(IDL.Nat8)) })),
  headers: IDL.Opt(IDL.Vec(IDL.Tuple(IDL.Text, IDL.Text))),
});
interface Given {
  readonly key: string;
  readonly content_type: string;
  readonly encodings: { content_encoding: string; sha256: [] | [Uint8Array] }[];
  readonly headers: [] | [[string, string][]];
}

const entry = (key: string, more: Partial<Given> = {}): Given => ({
  key,
  content_type: 'text/plain',
  encodings: [{ content_encoding: 'identity', sha256: [new Uint8Array(32)] }],
  headers: [],
  ...more,
});
const keys = (from: number, count: number, more?: Partial<Given>): Given[] =>
  Array.from({ length: count }, (_, index) => entry(`/${from + index}`, more));
const listOf = (entries: Given[]): Uint8Array => IDL.encode([IDL.Vec(Entry)], [entries]);
const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

/** Lists what a canister answers to each question for what comes after this many assets. */
async function listed(
  answer: (start: number) => Uint8Array | Promise<Uint8Array>,
  {
    limits = listLimits(4000),
    signal,
  }: { limits?: ReturnType<typeof listLimits>; signal?: AbortSignal } = {},
) {
  let asked = 0;
  const client = {
    async query(_id: string, _method: string, arg: Uint8Array) {
      asked += 1;
      const [{ start }] = IDL.decode([IDL.Record({ start: IDL.Opt(IDL.Nat) })], Uint8Array.from(arg)) as [
        { start: [bigint] },
      ];
      return answer(Number(start[0]));
    },
  };
  const result = listAssets(client, { canisterId: 'aaaaa-aa', limits, signal });
  const outcome = await result.then(
    (present) => ({ present }),
    (error: Error) => ({ error }),
  );
  return { ...outcome, asked: () => asked };
}

const count = (outcome: object): number | undefined =>
  'present' in outcome ? (outcome.present as Map<string, unknown>).size : undefined;

test('pages are put together, and a canister that knows none repeats itself', async () => {
  const all = keys(0, 4000, { headers: [[['X-Frame-Options', 'DENY']]] });
  const paged = await listed((start) => listOf(all.slice(start, start + 100)));
  expect(count(paged)).toBe(4000);
  const whole = listOf(all);
  const unpaged = await listed(() => whole);
  expect(count(unpaged)).toBe(4000);
  expect(unpaged.asked()).toBe(2);
  expect(count(await listed(() => listOf([])))).toBe(0);
});

test('a large page is read like a small one', async () => {
  const one = entry('/a', { headers: [[['Link', '</b>']]] });
  const small = await listed(() => listOf([one]));
  const large = await listed((start) => listOf(start === 0 ? [one, ...keys(0, 3000)] : []));
  if (!('present' in small && 'present' in large)) throw new Error('not listed');
  expect(large.present.get('/a')).toEqual(small.present.get('/a'));
  expect(large.present.get('/a')).toMatchObject({
    contentType: 'text/plain',
    headers: [['Link', '</b>']],
    hashes: new Map([['identity', '00'.repeat(32)]]),
  });
});

const long = 'x'.repeat(2_000_000);
const noList = 'The canister does not answer as an asset canister does.';
const tooLarge = "The list of the canister's files is too large";

/** What a canister may answer, with the refusal, and how many pages are asked for at most. */
const hostile: [what: string, answer: (start: number) => Uint8Array, problem: string, pages: number][] = [
  ['new files for ever', (start) => listOf(keys(start, 1000)), `${tooLarge}: it has more than 4000 files`, 5],
  ['one new file a page', (start) => listOf(keys(start, 1)), `${tooLarge}: it comes in too many pages`, 20],
  [
    'the same page with one new file',
    (start) => listOf([...keys(0, 200), entry(`/new${start}`)]),
    `${tooLarge}: it comes in too many pages`,
    24,
  ],
  ['two files a page', (start) => listOf(keys(start, 2)), `${tooLarge}: it comes in too many pages`, 20],
  ['files of 2 MB', (start) => listOf(keys(start, 1, { content_type: long })), tooLarge, 20],
  [
    'one file again and again, larger each time',
    (start) => listOf([entry('/a', { content_type: long }), entry(`/${start}`)]),
    tooLarge,
    20,
  ],
  [
    'a file of 30,000 headers',
    () => listOf([entry('/a', { headers: [Array.from({ length: 30_000 }, () => ['a', 'b'])] })]),
    noList,
    1,
  ],
  [
    'a file of 10,000 encodings',
    (start) =>
      listOf([
        entry(`/${start}`, {
          encodings: Array.from({ length: 10_000 }, () => ({ content_encoding: 'a', sha256: [] })),
        }),
      ]),
    noList,
    1,
  ],
  ['4 GB of nothing', () => hex('4449444c 02 6d6f 6d7f 02 00 01 00 ffffffff0f'), noList, 1],
  ['4 GB of empty records', () => hex('4449444c 03 6d6f 6c00 6d01 02 00 02 00 ffffffff0f'), noList, 1],
  ['a list in a list of nothing', () => hex('4449444c 02 6d01 6d7f 01 00 ffffff0f ffffff0f'), noList, 1],
  ['a record that holds itself', () => hex('4449444c 01 6c010000 01 00'), noList, 1],
  ['a table of 4 billion types', () => hex('4449444c ffffffff0f'), noList, 1],
  ['10,000 types', () => listWithTypes(10_000), noList, 1],
  ['a number of 300 kB behind the list', () => listWithNumber(300_000), noList, 1],
  ['5 MB', () => new Uint8Array(5_000_000), tooLarge, 1],
  ['no Candid', () => new Uint8Array(3), noList, 1],
  ['nothing', () => new Uint8Array(), noList, 1],
  ['a text', () => new Uint8Array(IDL.encode([IDL.Text], [long])), noList, 1],
  [
    'an error text of 2 MB as the key',
    (start) => listOf(keys(start, 1, { content_type: long })),
    tooLarge,
    20,
  ],
];

/** An empty list, and a second value of the last of this many types, each of which holds the one before. */
function listWithTypes(types: number): Uint8Array {
  const leb = (value: number): number[] =>
    value < 64 ? [value] : [(value & 0x7f) | 0x80, ...leb(Math.floor(value / 128))];
  const table = Array.from({ length: types }, (_, index) => [
    0x6d,
    ...(index === 0 ? [0x6f] : leb(index - 1)),
  ]);
  return Uint8Array.from([...Buffer.from('DIDL'), ...leb(types), ...table.flat(), 1, ...leb(types - 1), 0]);
}

function listWithNumber(bytes: number): Uint8Array {
  const number = new Uint8Array(bytes).fill(0xff);
  number[bytes - 1] = 1;
  return Uint8Array.from([...hex('4449444c 01 6d6f 02 00 7d 00'), ...number]);
}

test.each(hostile)('a list of %s is refused', async (_what, answer, problem, pages) => {
  const before = process.memoryUsage.rss();
  const outcome = await listed(answer);
  expect(outcome).toHaveProperty('error.message', expect.stringContaining(problem));
  expect(outcome.asked()).toBeLessThanOrEqual(pages);
  expect(process.memoryUsage.rss() - before).toBeLessThan(400 * 1024 * 1024);
});

test('time is bounded, and the end of the run ends it', async () => {
  const limits = { ...listLimits(), timeoutMs: -1 };
  const late = await listed((start) => listOf(keys(start, 100)), { limits });
  expect(late).toHaveProperty('error.message', expect.stringContaining('it took longer than'));
  const run = new AbortController();
  const ended = await listed(
    (start) => {
      if (start === 300) run.abort(new Error('the run has been cancelled'));
      return listOf(keys(start, 100));
    },
    { signal: run.signal },
  );
  expect(ended).toHaveProperty('error.message', 'the run has been cancelled');
  expect(ended.asked()).toBe(4);
});

test('a list that is read is no stall of the thread that serves', async () => {
  const replies = [listOf(keys(0, 20_000)), listWithTypes(9000), listWithNumber(30_000)];
  // Processor time of this thread: what else the machine does meanwhile is no stall.
  const millis = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let longest = 0;
  let last = millis();
  const beat = setInterval(() => {
    const now = millis();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  for (const reply of replies) {
    const { asked } = await listed((start) => (start === 0 ? reply : listOf([])), { limits: listLimits() });
    expect(asked()).toBeGreaterThan(0);
  }
  clearInterval(beat);
  // Decoding one of them here takes some times as long.
  expect(longest).toBeLessThan(100);
});
