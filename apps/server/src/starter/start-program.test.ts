import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { getPriority } from 'node:os';
import { expect, test, vi } from 'vitest';
import { LOW_PRIORITY } from '../fairness/step-back.ts';
import { StartError, startProgram } from './start-program.ts';

const DONE = { code: 0, signal: null };
const env = { PATH: process.env.PATH ?? '' };

test('a program reads its input to the end and answers, also when it is over at once', async () => {
  const programs = await Promise.all(
    Array.from({ length: 20 }, async (_, place) => {
      const program = await startProgram('cat', [], env, { withInput: true });
      program.input?.end(`text ${place}`);
      return [await text(program.output), await program.ended];
    }),
  );
  expect(programs).toEqual(Array.from({ length: 20 }, (_, place) => [`text ${place}`, DONE]));
  const short = await startProgram('false', [], env);
  expect([await text(short.output), await short.ended]).toEqual(['', { code: 1, signal: null }]);
});

test('a large text passes both ways at once', async () => {
  const sent = 'x'.repeat(4_000_000);
  const program = await startProgram('cat', [], env, { withInput: true });
  program.input?.end(sent);
  expect((await text(program.output)).length).toBe(sent.length);
  expect(await program.ended).toEqual(DONE);
});

test('what a program says is read, although it ends without having read its input', async () => {
  const programs = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const program = await startProgram('sh', ['-c', 'head -c 100000 /dev/zero; exit 1'], env, {
        withInput: true,
      });
      program.input?.end('x'.repeat(4_000_000));
      return [(await text(program.output)).length, await program.ended];
    }),
  );
  expect(programs).toEqual(Array.from({ length: 20 }, () => [100_000, { code: 1, signal: null }]));
});

test('it has the environment it is given and a low priority, and a kill ends what it has started too', async () => {
  const program = await startProgram('sh', ['-c', 'sleep 600 & echo $! $SECRET; sleep 600'], {
    ...env,
    SECRET: 'mine',
  });
  const [line] = (await once(program.output, 'data')) as [Buffer];
  const [pid, secret] = String(line).trim().split(' ');
  expect(secret).toBe('mine');
  expect(getPriority(Number(pid))).toBe(LOW_PRIORITY);
  program.kill();
  expect(await program.ended).toEqual({ code: null, signal: 'SIGKILL' });
  await expect.poll(() => isAlive(Number(pid))).toBe(false);
});

test('its errors are read on a separate connection, to their end, and it starts where it is told to', async () => {
  const program = await startProgram('sh', ['-c', 'pwd; echo wrong >&2; exit 3'], env, {
    cwd: '/usr',
    withErrors: true,
  });
  if (program.errors === null) throw new Error('There is no connection for errors.');
  expect(await Promise.all([text(program.output), text(program.errors)])).toEqual(['/usr\n', 'wrong\n']);
  expect(await program.ended).toEqual({ code: 3, signal: null });
});

test('what a program leaves running ends with it', async () => {
  const program = await startProgram('sh', ['-c', 'sleep 600 & echo $!'], env);
  const pid = Number(await text(program.output));
  expect(await program.ended).toEqual(DONE);
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test.skipIf(!existsSync('/proc/self/autogroup'))(
  'all programs are in one session, which gives way to the one of the server',
  async () => {
    const groups = await Promise.all(
      [1, 2].map(async () => {
        const program = await startProgram('cat', ['/proc/self/autogroup'], env);
        return text(program.output);
      }),
    );
    expect(groups[0]).toMatch(new RegExp(`nice ${LOW_PRIORITY}$`, 'm'));
    expect(groups[1]).toBe(groups[0]);
    expect(readFileSync('/proc/self/autogroup', 'utf8')).not.toBe(groups[0]);
  },
);

test('a program that is not there cannot be started', async () => {
  await expect(startProgram('no-such-program', [], env)).rejects.toThrow(StartError);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a start that the disk has no room for is tried again by the next program', async () => {
  vi.resetModules();
  const { startProgram: startFresh } = await import('./start-program.ts');
  vi.stubEnv('TMPDIR', '/nowhere-at-all');
  await expect(startFresh('true', [], env)).rejects.toThrow('ENOENT');
  vi.unstubAllEnvs();
  const program = await startFresh('true', [], env);
  program.output.resume();
  expect(await program.ended).toEqual(DONE);
});
