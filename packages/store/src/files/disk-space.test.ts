import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { DiskSpace, namingFullDisk } from './disk-space.ts';
import { StoreFailedError } from './errors.ts';

test('a disk is low when less than the reserve is free', () => {
  expect(new DiskSpace(tmpdir(), 0).isLow).toBe(false);
  expect(new DiskSpace(tmpdir(), Number.MAX_SAFE_INTEGER).isLow).toBe(true);
});

test.each([{ code: 'ENOSPC' }, { code: 'EDQUOT' }, { errcode: 13 }])(
  '%o is known as a full disk',
  (codes) => {
    const cause = Object.assign(new Error('no space'), codes);
    const fail = (): void =>
      namingFullDisk('/folder', () => {
        throw cause;
      });
    expect(fail).toThrow(StoreFailedError);
    expect(fail).toThrow('The disk of /folder is full');
  },
);

test('other errors and results pass', () => {
  expect(namingFullDisk('/folder', () => 7)).toBe(7);
  const other = Object.assign(new Error('no'), { code: 'EACCES' });
  const fail = (): void =>
    namingFullDisk('/folder', () => {
      throw other;
    });
  expect(fail).toThrow(other);
});
