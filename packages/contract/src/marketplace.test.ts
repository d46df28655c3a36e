import { expect, test } from 'vitest';
import {
  dapp,
  dappForm,
  isGitUrl,
  isVersion,
  isVersionText,
  marketplaceEndpoints,
  searchWords,
  webAddressOf,
} from './marketplace.ts';

test.each([
  'https://github.com/ada/counter',
  'https://github.com/ada/counter.git',
  'http://localhost:3000/git/ada/counter',
  'https://codeberg.org',
  'git://example.org/a.git',
  'ssh://git@example.org/ada/a.git',
  'https://exämple.org/ä?b=c#d',
])('[VAL-15] %s is the address of a repository', (url) => {
  expect(isGitUrl(url)).toBe(true);
});

test.each([
  '',
  'not a url',
  'github.com/ada/counter',
  'https://',
  'https:/example.org',
  'https:///example.org',
  'https://example.org/a b',
  'https://example.org/\u202egpj.exe',
  'https://example.org\\@evil.example',
  'https://ada:secret@example.org/a',
  'https://token@example.org/a',
  'javascript:alert(1)',
  'javascript://example.org/%0aalert(1)',
  'data:text/html,hello',
  'file:///etc/passwd',
  `https://example.org/${'a'.repeat(500)}`,
])('[VAL-15] %j is none', (url) => {
  expect(isGitUrl(url)).toBe(false);
});

test('[MKT-14] only a web address is a link', () => {
  expect(webAddressOf('https://github.com/ada/counter')).toBe('https://github.com/ada/counter');
  for (const other of ['ssh://git@example.org/a', 'javascript:alert(1)', '', null, undefined]) {
    expect(webAddressOf(other)).toBeUndefined();
  }
});

test.each([
  // A Cyrillic 'і', and divisions in the place of slashes.
  ['https://gіthub.com/ada/counter', 'https://xn--gthub-n2e.com/ada/counter'],
  ['https://github.com\u2215ada.evil.example/counter', 'https://github.xn--comada-re3c.evil.example/counter'],
  ['https://exämple.org/ä', 'https://xn--exmple-cua.org/%C3%A4'],
  ['https://ｇithub.com/ada', 'https://github.com/ada'],
  ['https://GitHub.com/ada', 'https://GitHub.com/ada'],
  ['http://localhost:3000/git/ada', 'http://localhost:3000/git/ada'],
])('[MKT-14] %s is shown as the address that it leads to', (url, shown) => {
  expect(webAddressOf(url)).toBe(shown);
});

test('[VAL-20] a version is of digits and single dots', () => {
  for (const version of ['1.0.0', '1', '0.10', '2024.11.5']) expect(isVersion(version)).toBe(true);
  for (const version of ['', '1..0', '.1', '1.', 'v1', '1.0-beta', '1,0', '１']) {
    expect(isVersion(version)).toBe(false);
  }
  for (const typed of ['', '1.', '1.0']) expect(isVersionText(typed)).toBe(true);
  for (const typed of ['1..', 'a', '1.0a', ' 1', '1'.repeat(31)]) expect(isVersionText(typed)).toBe(false);
});

test('[VAL-14] [VAL-15] [VAL-16] [VAL-19] what is missing in a submission is said in these words', () => {
  const { error } = dappForm.safeParse({ name: ' ', git_url: '', description: '', version: '', notes: '' });
  expect(error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
    ['name', 'Required'],
    ['git_url', 'Invalid URL!'],
    ['description', 'Write something about this App.'],
    ['version', 'Required'],
  ]);
});

test('words for the search hold nothing but letters and digits', () => {
  expect(searchWords("It's ICRC-1:* & (ＦＵＬＬ) \\ 'quoted'")).toEqual([
    'it',
    's',
    'icrc',
    '1',
    'full',
    'quoted',
  ]);
  expect(searchWords('a'.repeat(70))).toEqual(['a'.repeat(50)]);
  expect(searchWords(Array.from({ length: 400 }, (_, n) => `w${n}`).join(' '))).toHaveLength(300);
});

test('[ENT-12] [API-23] a dapp of another service is read by the fields that the specification names', () => {
  const bare = {
    id: '7',
    icon: 'i',
    app_name: 'Counter',
    git_url: 'https://example.org/a',
    description: 'Counts',
    wasm: 'w',
    version: '1.0.0',
    created_at: '2024-03-05T15:07:00.000Z',
    user: { username: 'ada' },
  };
  const { reading } = marketplaceEndpoints.list;
  expect(reading?.read({ data: [bare, null] })).toEqual([
    {
      ...bare,
      picture: null,
      picture_of: null,
      name: null,
      kind: null,
      installs: null,
      rating: null,
      ratings: null,
    },
  ]);
  expect(Object.keys(dapp.shape)).toEqual(expect.arrayContaining([...Object.keys(bare), 'name']));
});
