import { expect, test } from 'vitest';
import { outsideUrl, readPublicAddress } from './public-address.ts';

const provider = {
  origin: 'http://localhost:4000',
  clonePattern: 'https://git.cannery.example/{owner}/{repo}.git',
};

test.each([
  ['https://github.com/owner/repo.git', 'owner', 'repo'],
  [' https://github.com/owner/a.b.git ', 'owner', 'a.b'],
  ['https://github.com/owner/a.b', 'owner', 'a'],
  ['https://github.com/owner/.github', 'owner', '.github'],
  ['https://github.com/Owner/My-Repo.git', 'Owner', 'My-Repo'],
  ['https://gitlab.com/group/sub/repo', 'group', 'sub'],
  ['http://localhost:4000/ada/mill.git', 'ada', 'mill'],
])(
  '[VAL-27] [DEP-07] %s: owner %s is the 4th segment, name %s the 5th without its extension',
  (text, owner, name) => {
    expect(readPublicAddress(text, provider)).toEqual({ owner, name, url: text.trim() });
  },
);

test.each([
  'not an address',
  '',
  'http://github.com/o/r',
  'https://github.com/o',
  'http://localhost:4000/o',
  'https://git.cannery.example/',
])('[DEP-21] %s is refused with a reason', (text) => {
  expect(readPublicAddress(text, provider)).toEqual({
    fault: expect.stringMatching(/It looks like http\S+$/),
  });
});

test('[OP-60] only the address of a public repository of another host travels with the calls', () => {
  const url = 'https://github.com/o/r';
  expect(outsideUrl({ isPublic: true, url }, provider)).toBe(url);
  expect(outsideUrl({ isPublic: false, url }, provider)).toBeUndefined();
  expect(outsideUrl({ isPublic: true, url: '' }, provider)).toBeUndefined();
  for (const own of [
    'http://localhost:4000/o/r',
    'https://git.cannery.example/o/r.git',
    'HTTP://LOCALHOST:4000/o/r',
  ]) {
    expect(outsideUrl({ isPublic: true, url: own }, provider)).toBeUndefined();
  }
});
