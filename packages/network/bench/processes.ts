import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Processors of the benchmark: the program under test has one to itself, and so has the one that drives it. */
const SERVER_CPU = '0';
const CLIENT_CPU = '1';

/** A child process that serves HTTP. */
export interface ServerProcess extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Processor time the process has used, in microseconds. */
  cpuMicros(): number;
}

const pathOf = (script: string): string => fileURLToPath(new URL(script, import.meta.url));

/** Starts a Node program of this folder on the server's processor; it must print `network ready: <address>`. */
export async function startServer(script: string, args: readonly string[]): Promise<ServerProcess> {
  const child = spawn('taskset', ['-c', SERVER_CPU, process.execPath, pathOf(script), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const ready = /network ready: (\S+)/.exec(output)?.[1];
      if (ready) resolve(ready);
    });
    child.once('exit', () => reject(new Error(`${script} ended before it was ready`)));
  });
  return {
    url,
    port: Number(new URL(url).port),
    cpuMicros: () => cpuMicros(child),
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Microseconds of a clock tick, the unit of `/proc/<pid>/stat`. */
const TICK_MICROS = 10_000;

function cpuMicros({ pid }: ChildProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // User and system time; the fields are counted from behind the name, which may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')')).split(' ');
  return (Number(fields[12]) + Number(fields[13])) * TICK_MICROS;
}

/** Runs a Node program of this folder on the client's processor and parses the JSON it prints. */
export async function runClient<Result>(script: string, input: unknown): Promise<Result> {
  const args = ['-c', CLIENT_CPU, process.execPath, pathOf(script), JSON.stringify(input)];
  const { stdout } = await promisify(execFile)('taskset', args);
  return JSON.parse(stdout) as Result;
}
