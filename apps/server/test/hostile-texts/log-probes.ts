import { runProcess } from '../../src/builders/process/run-process.ts';
import { cleanLine } from '../../src/jobs/clean-line.ts';
import { SecretHider } from '../../src/jobs/secret-hider.ts';
import type { Probe } from './probe.ts';

/** What a build prints, through the pipe and to the form in which a log keeps it. */
function printed(name: string, script: string): Probe {
  const run = async (): Promise<void> => {
    const hider = new SecretHider(['a secret of the build']);
    const result = await runProcess(
      { file: 'sh', args: ['-c', script], env: { PATH: process.env.PATH ?? '/usr/bin:/bin' } },
      {
        timeoutMs: 1_500,
        signal: new AbortController().signal,
        onLine: (line) => cleanLine(line, hider),
      },
    );
    if (result.exitCode !== 0 && result.stopped === null)
      throw new Error(`the script ended with ${result.exitCode}`);
  };
  return { name: `output: ${name}`, outcome: 'used', run };
}

const repeated = (text: string, megabytes: number): string =>
  `yes '${text}' | head -c ${megabytes * 1024 ** 2}`;

/** Floods of output. */
export const logProbes: readonly Probe[] = [
  printed('the letter y, without end', 'yes'),
  printed('50 MB in one line', `${repeated('x', 50)} | tr -d '\\n'`),
  printed(
    'escape sequences that never end',
    `yes "$(printf '\\033[0;0;0;0;0;0')" | tr -d '\\n' | head -c 2000000`,
  ),
  printed('titles that never end', `yes "$(printf '\\033]0;')" | tr -d '\\n' | head -c 2000000`),
  printed('carriage returns', `yes "$(printf 'a\\rb\\rc')" | head -c 2000000`),
  printed('addresses with what might be a password', repeated('https://a:b:c:d:e:f@://:x@', 2)),
  printed('bytes that are no text', 'head -c 2000000 /dev/urandom'),
];
