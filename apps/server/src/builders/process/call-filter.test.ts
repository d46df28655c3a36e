import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { callFilter, filterWords, type FilterKind } from './call-filter.ts';

/** Calls of x64 by name, with what they are denied with. */
const DISK = [
  ['fallocate', 285, 95],
  ['io_uring_setup', 425, 38],
] as const;
const MEMORY = [
  ['memfd_create', 319, 38],
  ['memfd_secret', 447, 38],
  ['shmget', 29, 38],
  ['msgget', 68, 38],
  ['semget', 64, 38],
  ['mount', 165, 38],
  ['fsopen', 430, 38],
  ['bpf', 321, 38],
] as const;
const EX = 0x4000_0000;

/** The error that each call ends with, 0 for none: none of them names anything that is there, and nothing is made. */
function errorsOf(words: readonly string[], calls: readonly number[]): number[] {
  const script =
    'for my $call (@ARGV) { $! = 0; syscall($call + 0, 12345, 0, 0, 0, 0, 0); print $! + 0, "\\n" }';
  const [file = '', ...args] = [
    'setpriv',
    '--no-new-privs',
    ...words,
    'perl',
    '-e',
    script,
    ...calls.map(String),
  ];
  const { stdout, stderr } = spawnSync(file, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.trim().split('\n').map(Number);
}

function wordsOf(kind: FilterKind): string[] {
  const filter = callFilter(kind);
  if (filter === null) throw new Error('The calls of this machine are not known.');
  return filterWords('perl', filter);
}

describe.runIf(process.platform === 'linux' && process.arch === 'x64')('a filter of system calls', () => {
  test.each([...DISK, ...MEMORY])('denies %s', (_name, call, error) => {
    expect(errorsOf(wordsOf('disk and memory'), [call])).toEqual([error]);
  });

  test('leaves memory to the kernel where that counts it', () => {
    const calls = MEMORY.map(([, call]) => call);
    expect(errorsOf(wordsOf('disk'), calls)).toEqual(errorsOf([], calls));
    expect(
      errorsOf(
        wordsOf('disk'),
        DISK.map(([, call]) => call),
      ),
    ).toEqual([95, 38]);
  });

  test('leaves all other calls as they are, and those of another way in to nobody', () => {
    // getpid, getuid, gettid: no arguments, no errors.
    expect(errorsOf(wordsOf('disk and memory'), [39, 102, 186])).toEqual([0, 0, 0]);
    expect(errorsOf(wordsOf('disk and memory'), [EX + 39, EX + 319])).toEqual([38, 38]);
  });

  test('a command that is not there is no success', () => {
    const [file = '', ...args] = ['setpriv', '--no-new-privs', ...wordsOf('disk'), '/nowhere/program'];
    expect(spawnSync(file, args).status).not.toBe(0);
  });
});

test('has other numbers for other machines, and none for a machine that is not known', () => {
  expect(callFilter('disk', 'arm64')).not.toEqual(callFilter('disk', 'x64'));
  expect(callFilter('disk', 'mips')).toBeNull();
});
