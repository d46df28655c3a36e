import { expect, test } from 'vitest';
import { createOutput } from './output.ts';

const RED = '\u001b[31mred\u001b[0m';

test.each([
  ['a terminal', true, {}, '\u001b[31mred\u001b[0m\u001b[0m\n'],
  ['a terminal without colours', true, { NO_COLOR: '1' }, 'red\n'],
  ['a file', false, {}, 'red\n'],
  ['a file, whatever other programs do', false, { FORCE_COLOR: '1' }, 'red\n'],
])('logs for %s', (_what, isTTY, env, printed) => {
  const written: string[] = [];
  const stdout = { isTTY, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
  const output = createOutput({
    stdout,
    stderr: stdout as NodeJS.Process['stderr'],
    env,
  } as unknown as NodeJS.Process);
  output.printLog(RED);
  output.print(RED);
  output.note(RED);
  expect(written).toEqual([printed, 'red\n', 'red\n']);
});
