import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeDataDir } from './close-data-dir.ts';
import { StartError } from '../errors.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-close-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string) => statSync(path).mode & 0o7777;

test('a new folder, also several deep, is the owner’s alone', () => {
  const dataDir = join(folder, 'a/b');
  closeDataDir(dataDir);
  expect(modeOf(dataDir)).toBe(0o700);
});

test('loose modes of the folder, of secrets and of the database are tightened', () => {
  const dataDir = join(folder, 'data');
  mkdirSync(join(dataDir, 'postgres'), { recursive: true });
  for (const [name, mode] of [
    ['secrets.key', 0o644],
    ['ic-identity.json', 0o666],
    ['program', 0o755],
  ] as const) {
    writeFileSync(join(dataDir, name), 'secret');
    chmodSync(join(dataDir, name), mode);
  }
  chmodSync(join(dataDir, 'postgres'), 0o755);
  chmodSync(dataDir, 0o777);
  closeDataDir(dataDir);
  expect(modeOf(dataDir)).toBe(0o700);
  expect(modeOf(join(dataDir, 'postgres'))).toBe(0o700);
  expect(modeOf(join(dataDir, 'secrets.key'))).toBe(0o600);
  expect(modeOf(join(dataDir, 'ic-identity.json'))).toBe(0o600);
  expect(modeOf(join(dataDir, 'program'))).toBe(0o700);
});

test('a folder in one where everybody may write and rename is refused; in a sticky one, such as /tmp, it is not', () => {
  const shared = join(folder, 'shared');
  mkdirSync(shared);
  chmodSync(shared, 0o777);
  expect(() => closeDataDir(join(shared, 'data'))).toThrow(/Everybody can write in .*shared.*chmod o-w/);
  expect(() => closeDataDir(join(shared, 'deep/data'))).toThrow(StartError);
  chmodSync(shared, 0o1777);
  closeDataDir(join(shared, 'data'));
});

test('a link is followed with the same care', () => {
  const shared = join(folder, 'shared');
  mkdirSync(join(shared, 'data'), { recursive: true });
  symlinkSync(join(shared, 'data'), join(folder, 'link'));
  closeDataDir(join(folder, 'link'));
  expect(modeOf(join(shared, 'data'))).toBe(0o700);
  chmodSync(shared, 0o777);
  expect(() => closeDataDir(join(folder, 'link'))).toThrow(/Everybody can write/);
});

test('a link inside is left alone: what it leads to keeps its mode', () => {
  const outside = join(folder, 'outside');
  writeFileSync(outside, '');
  chmodSync(outside, 0o644);
  mkdirSync(join(folder, 'data'));
  symlinkSync(outside, join(folder, 'data/blobs'));
  closeDataDir(join(folder, 'data'));
  expect(modeOf(outside)).toBe(0o644);
});

test('a path through a file says so', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => closeDataDir(join(folder, 'file/data'))).toThrow(/DATA_DIR .* cannot be made/);
});

/** Giving things to another user needs root of the first user namespace, or one with such a user. */
const canGive = (() => {
  if (process.geteuid?.() !== 0) return false;
  try {
    execFileSync('sh', ['-c', 'f=$(mktemp); chown 65533 "$f"; r=$?; rm -f "$f"; exit $r'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
})();

describe.runIf(canGive)('what belongs to another user', () => {
  const OTHER = 65_533;

  test('is refused as the folder', () => {
    mkdirSync(join(folder, 'data'));
    chownSync(join(folder, 'data'), OTHER, OTHER);
    expect(() => closeDataDir(join(folder, 'data'))).toThrow(/belongs to another user \(65533;.*chown/);
  });

  test.each(['secrets.key', 'ic-identity.json', 'server.lock'])('is refused as %s in it', (name) => {
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, 'data', name), '');
    chownSync(join(folder, 'data', name), OTHER, OTHER);
    expect(() => closeDataDir(join(folder, 'data'))).toThrow(new RegExp(`${name} belongs to another user`));
  });

  test('is refused as a link in it, and as a link on the way in a shared folder', () => {
    mkdirSync(join(folder, 'data'));
    symlinkSync('/etc', join(folder, 'data/git'));
    lchownSync(join(folder, 'data/git'), OTHER, OTHER);
    expect(() => closeDataDir(join(folder, 'data'))).toThrow(/git belongs to another user/);

    const shared = join(folder, 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o1777);
    const mine = join(folder, 'mine');
    mkdirSync(mine);
    chmodSync(mine, 0o755);
    symlinkSync(mine, join(shared, 'link'));
    lchownSync(join(shared, 'link'), OTHER, OTHER);
    expect(() => closeDataDir(join(shared, 'link/data'))).toThrow(/link belongs to another user/);
    expect(existsSync(join(mine, 'data/secrets.key'))).toBe(false);
    expect(modeOf(mine)).toBe(0o755);
  });
});
