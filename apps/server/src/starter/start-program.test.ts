import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { StartError, startProgram } from './start-program.ts';

const env = { PATH: process.env.PATH ?? '' };

test('a program reads its input to the end and answers, also when it is over at once', async () => {
  const programs = await Promise.all(
    Array.from({ length: 20 }, async (_, place) => {
      const program = await startProgram('cat', [], env);
      program.stream.end(`text ${place}`);
      return [await text(program.stream), await program.ended];
    }),
  );
  expect(programs).toEqual(Array.from({ length: 20 }, (_, place) => [`text ${place}`, 0]));
  const short = await startProgram('false', [], env);
  expect([await text(short.stream), await short.ended]).toEqual(['', 1]);
});

test('a large text passes both ways at once', async () => {
  const sent = 'x'.repeat(4_000_000);
  const program = await startProgram('cat', [], env);
  program.stream.end(sent);
  expect((await text(program.stream)).length).toBe(sent.length);
  expect(await program.ended).toBe(0);
});

test('it has the environment it is given and a low priority, and a kill ends what it has started too', async () => {
  const program = await startProgram('sh', ['-c', 'sleep 600 & echo $! $SECRET; cat'], {
    ...env,
    SECRET: 'mine',
  });
  const [line] = (await once(program.stream, 'data')) as [Buffer];
  const [pid, secret] = String(line).trim().split(' ');
  expect(secret).toBe('mine');
  expect(getPriority(Number(pid))).toBe(10);
  program.kill();
  expect(await program.ended).toBeNull();
  await expect.poll(() => isAlive(Number(pid))).toBe(false);
});

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
