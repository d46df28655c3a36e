import { mkdtempSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processes } from '@cannery/dev-env';
import { afterAll, describe, expect, test } from 'vitest';
import { workingBubblewrap } from '../../../test/support/sandboxes-here.ts';
import { bubblewrapSandbox } from './bubblewrap.ts';
import { namespaceSandbox } from './namespaces.ts';
import { removeFolder } from '../process/remove-folder.ts';
import { defaultLimits, type Sandbox, type SandboxLimits, type StepResult } from './sandbox.ts';
import { type Means, useMeans } from './step-bounds.ts';
import { testWorkspace } from '../disks/workspace.testing.ts';
import { findToolchain } from './toolchain.ts';

const MIB = 1024 ** 2;
const dataDir = mkdtempSync(join(tmpdir(), 'cannery-limits-'));
const toolchain = await findToolchain(process.env);
afterAll(() => removeFolder(dataDir));

interface Outcome extends StepResult {
  readonly text: string;
}

async function run(
  sandbox: Sandbox,
  argv: readonly string[],
  limits: Partial<SandboxLimits> = {},
  until?: string,
): Promise<Outcome> {
  const folders = await testWorkspace(dataDir, sandbox);
  const lines: string[] = [];
  const enough = new AbortController();
  try {
    const result = await sandbox.run(folders, {
      argv,
      env: {},
      way: null,
      limits,
      timeoutMs: 60_000,
      signal: enough.signal,
      onLine: (line) => {
        lines.push(line);
        if (line === until) enough.abort(new Error('it is ended here'));
      },
    });
    return { ...result, text: lines.join('\n') };
  } finally {
    await folders.remove();
  }
}

/** Asks for a file without a place and fills it: perl -e TEXT MEGABYTES. No page of it is mapped. */
const MEMFD =
  '$| = 1; my $name = "held"; my $file = syscall(319, $name, 0); die "no file: $!\\n" if $file < 0; ' +
  'open(my $held, ">&=", $file); my $piece = "x" x 1048576; for (1 .. $ARGV[0]) { print $held $piece or die "full: $!\\n" } ' +
  'my $old = select($held); $| = 1; select($old); sleep 5; print "held all\\n";';

const isRoot = process.getuid?.() === 0;
const noGroups: Means = { groups: false, groupProcesses: false, perl: '/usr/bin/perl' };
const neither: Means = { groups: false, groupProcesses: false, perl: null };
const common = { toolchain, hidden: { dataDir, projectRoot: process.cwd() }, limits: defaultLimits };
const rootless = namespaceSandbox({ ...common, asRoot: false });
const program = await workingBubblewrap();

/** Each mechanism of isolation, with what this machine has to bound steps and with less; null is all that is here. */
const cases: readonly (readonly [string, Means | null, Sandbox])[] = [
  ...(isRoot ? [['namespaces as root', null, namespaceSandbox({ ...common, asRoot: true })] as const] : []),
  ['namespaces without groups', noGroups, rootless],
  ['namespaces without groups and perl', neither, rootless],
  ...(program === null
    ? []
    : [['bubblewrap without groups', noGroups, bubblewrapSandbox({ ...common, program })] as const]),
];

describe.runIf(process.platform === 'linux' && process.arch === 'x64').each(cases)(
  '%s',
  (_name, means, sandbox) => {
    const limited = async (
      ...args: Parameters<typeof run> extends [Sandbox, ...infer Rest] ? Rest : never
    ) => {
      using _ = useMeans(means);
      // Awaited: the means are given back when this function ends.
      return await run(sandbox, ...args);
    };

    test('memory without a process, more than the limit, is not to be had', async () => {
      const { text } = await limited(['perl', '-e', MEMFD, '400'], { memoryBytes: 160 * MIB });
      expect(text).not.toContain('held all');
      // The kernel refuses it; what is looked at would be too late for many at once.
      if (means === noGroups) expect(text).toContain('no file: Function not implemented');
    });

    test('memory in folders counts with the rest', async () => {
      const script =
        'head -c 200000000 /dev/zero > /tmp/a; head -c 200000000 /dev/zero > /dev/shm/a; ' +
        'head -c 200000000 /dev/zero > /dev/b; sleep 3; cat /tmp/a /dev/shm/a /dev/b 2>/dev/null | wc -c';
      const { text } = await limited(['sh', '-c', script], { memoryBytes: 160 * MIB });
      expect(Number(text.match(/^\d+$/m)?.[0] ?? 0)).toBeLessThan(161 * MIB);
    });

    test('what a process asks for beyond the limit ends it', async () => {
      const hog = 'const a = []; for (;;) a.push(Buffer.alloc(16 * 1024 * 1024, 1))';
      const { exitCode } = await limited(['node', '-e', hog], { memoryBytes: 256 * MIB });
      expect(exitCode).not.toBe(0);
    });

    test('several processes share one limit', async () => {
      const part = 'const held = Buffer.alloc(100 * 1024 * 1024, 1); setTimeout(() => held, 50_000)';
      const script = 'for i in 1 2 3 4 5; do node -e "$0" & done; wait; echo held all';
      const result = await limited(['sh', '-c', script, part], { memoryBytes: 256 * MIB });
      expect(result).toMatchObject({ stopped: 'it used more than 256 MB of memory', isOutOfMemory: true });
    });

    test.skipIf(means === neither)('room on the disk is not taken without being written', async () => {
      const { text, exitCode } = await limited(['sh', '-c', 'fallocate -l 300M a || echo refused; ls -s']);
      expect([exitCode, text]).toEqual([0, expect.stringContaining('refused')]);
      expect(text).toMatch(/^total 0$|^0 a$/m);
    });

    test('nothing of a step is left when it has ended, whatever its first process has asked for', async () => {
      const mark = `${60_000 + Math.floor(Math.random() * 10_000)}.75`;
      // It leaves its group, asks not to be told of its parent's end, and never ends by itself.
      const stubborn = `$| = 1; require POSIX; POSIX::setsid(); syscall(157, 1, 0, 0, 0, 0); fork or exec "sleep", "${mark}"; print "ready\n"; exec "sleep", "${mark}"`;
      const { stopped } = await limited(['perl', '-e', stubborn], {}, 'ready');
      expect(stopped).toBe('it is ended here');
      await delay(300);
      expect(processes().filter(({ command }) => command.includes(mark))).toEqual([]);
    });

    test('many files and folders end the step', async () => {
      const script = 'i=0; while [ $i -lt 300 ]; do mkdir d$i; i=$((i+1)); done; sleep 50';
      const { stopped } = await limited(['sh', '-c', script], { entries: 100 });
      expect(stopped).toBe('it made more than 100 files and folders');
    });

    test('what hides behind long paths counts', async () => {
      const script =
        "for (let i = 0; i < 40; i += 1) { fs.mkdirSync('d'.repeat(200)); process.chdir('d'.repeat(200)); } " +
        "fs.writeFileSync('a', Buffer.alloc(64 * 1024 * 1024, 1)); setTimeout(() => {}, 50_000)";
      const { stopped } = await limited(['node', '-e', script], { diskBytes: 32 * MIB });
      expect(stopped).toBe('it wrote more than 32 MB to disk');
    });

    test('what hides in a folder without rights counts', async () => {
      const script = 'mkdir a; head -c 64000000 /dev/zero > a/b; chmod 0 a; sleep 50';
      const { stopped } = await limited(['sh', '-c', script], { diskBytes: 32 * MIB });
      expect(stopped).toMatch(/^it wrote more than 32 MB to disk$|cannot be looked into$/);
    });
  },
);

test.runIf(isRoot)(
  '[R7] processes of one step are no bound for another, and have their own',
  { timeout: 120_000 },
  async () => {
    const sandbox = namespaceSandbox({ ...common, asRoot: true });
    const start = (count: number, rest: string) =>
      `i=0; while [ $i -lt ${count} ]; do sleep 40 & i=$((i+1)); done; ${rest}`;
    const greedy = run(sandbox, ['sh', '-c', start(150, 'echo started all; sleep 15')], { processes: 100 });
    await delay(4_000);
    const modest = await run(sandbox, ['sh', '-c', start(20, 'echo started all')], { processes: 100 });
    expect([modest.exitCode, modest.text]).toEqual([0, 'started all']);
    expect((await greedy).text).not.toContain('started all');
  },
);
