import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const MAIN = fileURLToPath(new URL('../../../../packages/cli/src/main.ts', import.meta.url));
const SECRET = /cnry_api_[\w-]{20,}/;

/** Where `npm run cli`, too, has Node keep what it has compiled. */
const { NODE_COMPILE_CACHE } = process.env;
const compiled = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

/** What a program has printed, and how it has ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line while it runs. */
export interface RunningCli {
  stdout(): string;
  stderr(): string;
  /** Fails the test when it has printed a token. */
  readonly ended: Promise<Ended>;
  kill(): void;
}

/** Starts `cannery` as a separate process, with nothing of this process's environment but what it needs to run. */
export function startCli(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  program: readonly string[] = [MAIN],
): RunningCli {
  const child = spawn(process.execPath, [...program, ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...compiled, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (SECRET.test(stdout + stderr)) reject(new Error('It has printed a token.'));
      else resolve({ code, stdout, stderr });
    });
  });
  ended.catch(() => undefined);
  return { stdout: () => stdout, stderr: () => stderr, ended, kill: () => child.kill('SIGKILL') };
}

/** Runs `cannery` to its end, and expects an exit code. */
export async function runCli(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  code: number,
): Promise<Ended> {
  const ended = await startCli(env, args).ended;
  expect(ended.code, `${args.join(' ')}\n${ended.stdout}\n${ended.stderr}`).toBe(code);
  return ended;
}
