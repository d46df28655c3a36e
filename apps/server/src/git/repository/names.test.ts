import { hostileBranches, hostileNames } from '@cannery/dev-env';
import { describe, expect, test } from 'vitest';
import { isBranchName, isObjectId, isOwner, isOwnerSegment, isRepositoryName, ownerOf } from './names.ts';

describe('owner and name of a repository address', () => {
  test.each(hostileNames)('%j is neither', (text) => {
    expect(isOwner(text)).toBe(false);
    expect(isOwnerSegment(text)).toBe(false);
    expect(isRepositoryName(text)).toBe(false);
  });

  test.each(['ada', 'Ada-Lovelace', 'a_b', 'a.b', '1', 'x'.repeat(39)])('%s is an owner', (text) => {
    expect(isOwner(text)).toBe(true);
  });

  test.each(['api', 'ICS', 'login', 'assets', 'git'])('%s is reserved', (text) => {
    expect(isOwner(text)).toBe(false);
  });

  test.each(['site', 'my-site', 'Hello_World', 'ada.github.io', 'a', '_x', 'double--dash'])(
    '%s is a name',
    (text) => {
      expect(isRepositoryName(text)).toBe(true);
    },
  );

  test.each(['site.git', 'con', 'NUL.txt', 'x.', '.x', 'x-'])('%s is no name', (text) => {
    expect(isRepositoryName(text)).toBe(false);
  });
});

describe('owner of a user', () => {
  test('is the username where that can stand in an address', () => {
    expect(ownerOf({ id: '1', username: 'ada' })).toBe('ada');
  });

  test.each(['api', 'Ada Lovelace', '_x', 'x--0123456789', 'ß', '../..'])(
    '%j gets a form of its own',
    (username) => {
      const owner = ownerOf({ id: '1', username });
      expect(isOwnerSegment(owner)).toBe(true);
      expect(isOwner(owner)).toBe(false);
      expect(owner).not.toBe(ownerOf({ id: '2', username }));
    },
  );

  test('nobody can sign in under the derived owner of somebody else', () => {
    const victim = ownerOf({ id: '1', username: 'Ada Lovelace' });
    expect(ownerOf({ id: '2', username: victim })).not.toBe(victim);
  });
});

describe('branch names', () => {
  test.each(hostileBranches)('%j is none', (text) => {
    expect(isBranchName(text)).toBe(false);
  });

  test.each(['main', 'feature/x-1', 'v1.0', 'übung', 'a@b', 'release-2026.11', '#12'])(
    '%s is one',
    (text) => {
      expect(isBranchName(text)).toBe(true);
    },
  );
});

test('an object id is 40 or 64 hex digits', () => {
  expect(isObjectId('a'.repeat(40))).toBe(true);
  expect(isObjectId('0'.repeat(64))).toBe(true);
  for (const text of ['A'.repeat(40), 'a'.repeat(39), `--${'a'.repeat(38)}`, `${'a'.repeat(40)}\n`]) {
    expect(isObjectId(text)).toBe(false);
  }
});
