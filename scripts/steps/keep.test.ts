import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';

const KEEP = new URL('./keep.mjs', import.meta.url).href;
/** A program that serves, and says by a file which process it is. */
const SERVES = `import { appendFileSync } from 'node:fs';
appendFileSync(process.env.PIDS, process.pid + '\\n');
process.once('SIGTERM', () => process.exit(0));
process.once('disconnect', () => process.exit(0));
process.channel.unref();
setInterval(() => {}, 1000);
process.send('ready');
`;

let folder: string;
const kept: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-keep-'));
});
afterEach(async () => {
  for (const child of kept.splice(0)) child.kill('SIGKILL');
  for (const pid of pids()) await until(() => !isRunning(pid), 'its program ends too');
  rmSync(folder, { recursive: true });
});

/** Keeps a program running, as `npm start` does where a script of npm is named. */
function keep(program: string, pauses = { first: 500, longest: 500 }, npm?: string) {
  writeFileSync(join(folder, 'program.mjs'), program);
  writeFileSync(
    join(folder, 'keeper.mjs'),
    `import { keep } from ${JSON.stringify(KEEP)};
     keep({ node: process.execPath, npm: '', env: process.env }, [${JSON.stringify(join(folder, 'program.mjs'))}], ${JSON.stringify(pauses)});`,
  );
  const child = spawn(process.execPath, [join(folder, 'keeper.mjs')], {
    env: { ...process.env, PIDS: join(folder, 'pids'), npm_lifecycle_event: npm },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  kept.push(child);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, ended, said: () => said };
}

function pids(): number[] {
  try {
    return readFileSync(join(folder, 'pids'), 'utf8').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function isRunning(pid: number): boolean {
  try {
    // A program that has ended and that nobody has asked about still has its number.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function until(condition: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + 30_000; !condition(); await delay(10)) {
    if (Date.now() > end) throw new Error(`Waited too long: ${what}`);
  }
}

test('a program that is killed is started again, and a signal to end reaches the new one', async () => {
  const { child, ended, said } = keep(SERVES);
  await until(() => pids().length === 1, 'it serves');
  process.kill(pids()[0] ?? 0, 'SIGKILL');
  await until(() => pids().length === 2, 'it serves again');
  expect(said()).toBe('Cannery has ended (SIGKILL) and is started again in 0.5 s.\n');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(isRunning(pids()[1] ?? 0)).toBe(false);
});

test('one that fails after it has served is started again, too', async () => {
  const { ended, said } = keep(`${SERVES} if (process.env.PIDS) setTimeout(() => process.exit(1), 50);`);
  await until(() => pids().length >= 2, 'it is started again');
  expect(said()).toContain('Cannery has ended (exit code 1)');
  expect(await Promise.race([ended, delay(10, 'runs')])).toBe('runs');
});

test.each([
  [78, 1, 'start'],
  [78, 78, undefined],
  [1, 1, undefined],
  [3, 3, undefined],
  [0, 0, undefined],
])(
  'one that ends with %i before it has served is not started again; it ends with %i below npm %s',
  async (code, shown, npm) => {
    const { ended, said } = keep(
      `import { appendFileSync } from 'node:fs'; appendFileSync(process.env.PIDS, '1\\n'); process.exit(${code});`,
      undefined,
      npm,
    );
    expect(await ended).toBe(shown);
    expect(readFileSync(join(folder, 'pids'), 'utf8')).toBe('1\n');
    expect(said()).toBe('');
    writeFileSync(join(folder, 'pids'), '');
  },
);

test('one that ends in good order ends the keeper', async () => {
  const { ended } = keep(SERVES);
  await until(() => pids().length === 1, 'it serves');
  process.kill(pids()[0] ?? 0, 'SIGTERM');
  expect(await ended).toBe(0);
  expect(pids()).toHaveLength(1);
});

test('a program ends when its keeper is killed', async () => {
  const { child } = keep(SERVES);
  await until(() => pids().length === 1, 'it serves');
  child.kill('SIGKILL');
  await until(() => !isRunning(pids()[0] ?? 0), 'it ends');
});

test('a signal in the pause before the next start ends the keeper', async () => {
  const { child, ended, said } = keep(SERVES);
  await until(() => pids().length === 1, 'it serves');
  process.kill(pids()[0] ?? 0, 'SIGKILL');
  await until(() => said() !== '', 'it pauses');
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(pids()).toHaveLength(1);
});

test('it gives up after several starts in a row that never served', async () => {
  const { ended, said } = keep(
    `import { appendFileSync, readFileSync } from 'node:fs';
     appendFileSync(process.env.PIDS, '1\\n');
     if (readFileSync(process.env.PIDS, 'utf8') === '1\\n') process.send('ready', () => process.exit(9));
     else process.exit(78);`,
    { first: 5, longest: 20 },
  );
  expect(await ended).toBe(1);
  expect(said()).toMatch(
    /Cannery has ended \(exit code 78\), and \d+ starts in a row failed\. It is not started again/,
  );
  writeFileSync(join(folder, 'pids'), '');
}, 60_000);
