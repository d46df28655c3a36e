import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { networkProgram } from '@cannery/dev-env';
import { programEnvironment } from '@cannery/network/program';
import { cpuMsOf } from '../cpu-of.ts';
import { asServer } from '../pinned.ts';

/** The real network in its own process, on the server's core. */
export interface NetworkProcess extends AsyncDisposable {
  readonly url: string;
  /** Resident set of the process, in MiB. */
  rssMib(): number;
  /** CPU time the process has used, in milliseconds. */
  cpuMs(): number;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
}

/** Starts it on `folder`, or on an empty one that goes when it ends; `spread` lets its threads have all cores. */
export async function startNetwork(
  args: readonly string[] = [],
  { folder, spread = false }: { readonly folder?: string; readonly spread?: boolean } = {},
): Promise<NetworkProcess> {
  const dataDir = folder ?? mkdtempSync(join(tmpdir(), 'cannery-bench-'));
  // What is measured is the network; the services are measured against it.
  const services = args.includes('--services') ? [] : ['--services', 'none'];
  const options = [networkProgram, '--data-dir', dataDir, '--port', '0', '--exit-with-parent'];
  options.push(...services, ...args);
  const [program, programArgs] = asServer(spread, process.execPath, options);
  const env = programEnvironment(process.env);
  const child = spawn(program, programArgs, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
    if (folder === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^network ready: (\S+)/.exec(line)?.[1];
    if (!url) continue;
    child.stdout.resume();
    // taskset replaces itself by the program, so this is the process of the network.
    const { pid } = child;
    if (pid === undefined) break;
    return {
      url,
      rssMib: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
      cpuMs: () => cpuMsOf(pid),
      kill: () => end('SIGKILL'),
      [Symbol.asyncDispose]: () => end('SIGTERM'),
    };
  }
  await end('SIGTERM');
  throw new Error('The network did not start.');
}
