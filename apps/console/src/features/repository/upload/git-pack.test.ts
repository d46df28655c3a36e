import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { firstCommit, packOf } from './git-pack.ts';

const file = (path: string, content: string, isExecutable = false) => ({
  path,
  isExecutable,
  bytes: new Uint8Array(Buffer.from(content)),
});

test('git itself finds every file, in order, in what is made for a push, and nothing wrong with it', async () => {
  const files = [
    file('a.txt', 'a'),
    // Git puts a folder behind what would come before its '/'.
    file('a/b.txt', 'b'),
    file('a-b', 'c'),
    file('a0', ''),
    file('build.sh', '#!/bin/sh\n', true),
    file('ä/ö.txt', 'u'.repeat(70_000)),
    file('same.txt', 'a'),
  ];
  const by = { author: 'Ada <x>\nand', message: 'Start of site', at: 1_700_000_000 };
  const commit = firstCommit(files, by);
  const pack = Buffer.concat(await packOf(commit));
  const folder = mkdtempSync(join(tmpdir(), 'pack-'));
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'core.quotePath=false', '-C', folder, ...args], {
      input: args.includes('--stdin') ? pack : '',
      encoding: 'utf8',
    });
  try {
    git('init', '-q', '--bare');
    git('index-pack', '--strict', '--stdin');
    expect(git('cat-file', '-p', commit.id)).toBe(
      `tree ${git('rev-parse', `${commit.id}^{tree}`)}author Ada xand <upload@localhost> 1700000000 +0000\ncommitter Ada xand <upload@localhost> 1700000000 +0000\n\nStart of site\n`,
    );
    const tree = git('ls-tree', '-r', '-l', commit.id);
    expect(
      tree
        .trim()
        .split('\n')
        .map((line) => line.replace(/ [0-9a-f]{40} +/, ' ')),
    ).toEqual([
      '100644 blob 1\ta-b',
      '100644 blob 1\ta.txt',
      '100644 blob 1\ta/b.txt',
      '100644 blob 0\ta0',
      '100755 blob 10\tbuild.sh',
      '100644 blob 1\tsame.txt',
      '100644 blob 70000\tä/ö.txt',
    ]);
    git('fsck', '--strict', commit.id);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
