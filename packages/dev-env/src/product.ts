import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { processes } from './processes.ts';
import { productProgram, root } from './programs.ts';

const READY_LINE = /^Cannery is ready: (\S+)$/m;
const READY_TIMEOUT_MS = 90_000;

export interface ProductOptions {
  /** Kept after the product stops when given; otherwise a temporary folder that `dispose` removes. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** An ended one whose addresses it gets, since those of several processes with one database must stay; new ones without. */
  readonly inPlaceOf?: Pick<Product, 'url' | 'networkUrl'>;
  /** Also write the product's output to this process's output. */
  readonly verbose?: boolean;
  /** Another command that runs a program with its arguments, such as on one core only; it must become that program. */
  readonly command?: (program: string, args: readonly string[]) => readonly [string, readonly string[]];
}

/** A running Cannery, started as an operator would: one process with its children, real database, network and git host. */
export interface Product {
  readonly url: string;
  readonly networkUrl: string;
  readonly dataDir: string;
  /** Everything the process printed so far. */
  output(): string;
  /** SIGTERM, then waits for the end; answers the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL to the process and everything it started in its group, as a power cut would. */
  kill(): Promise<void>;
  /** SIGKILL to the network process alone, as if it had crashed. */
  killNetwork(): Promise<void>;
  /** Holds the network process (SIGSTOP), so that it takes requests and answers none; the function lets it go on. */
  pauseNetwork(): Promise<() => void>;
  /** Starts again on the same ports and data. */
  restart(): Promise<void>;
  /** Stops and removes a temporary data folder. */
  dispose(): Promise<void>;
}

async function portOf(url: string | undefined): Promise<number> {
  return url === undefined ? freePort() : Number(new URL(url).port);
}

/** @throws Error with the product's output when it does not become ready in time. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const dataDir = options.dataDir ?? mkdtempSync(path.join(tmpdir(), 'cannery-env-'));
  const { url, networkUrl } = options.inPlaceOf ?? {};
  const [port, networkPort] = await Promise.all([portOf(url), portOf(networkUrl)]);
  const env = {
    ...process.env,
    // Tests of system canisters install them; all others start without.
    NETWORK_SERVICES: process.env['NETWORK_SERVICES'] ?? 'none',
    ...options.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    NETWORK_PORT: String(networkPort),
    DATA_DIR: dataDir,
  };
  let output = '';
  let child = await launch();

  async function launch(): Promise<ChildProcess> {
    output = '';
    const args = [productProgram];
    const [program, programArgs] = options.command?.(process.execPath, args) ?? [process.execPath, args];
    const started = spawn(program, [...programArgs], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
      if (options.verbose) process.stdout.write(chunk);
    };
    started.stdout.on('data', collect);
    started.stderr.on('data', collect);
    await ready(started, () => output);
    return started;
  }

  const end = async (signal: NodeJS.Signals, group: boolean): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      process.kill(group ? -child.pid : child.pid, signal);
      await ended;
    }
    return child.exitCode;
  };

  const product: Product = {
    url: `http://localhost:${port}`,
    networkUrl: `http://127.0.0.1:${networkPort}`,
    dataDir,
    output: () => output,
    stop: () => end('SIGTERM', false),
    kill: async () => {
      await end('SIGKILL', true);
    },
    killNetwork: async () => {
      for (const id of networkProcesses(child.pid)) process.kill(id, 'SIGKILL');
    },
    pauseNetwork: async () => {
      const ids = networkProcesses(child.pid);
      for (const id of ids) process.kill(id, 'SIGSTOP');
      return () => {
        for (const id of ids) goOn(id);
      };
    },
    restart: async () => {
      child = await launch();
    },
    dispose: async () => {
      await end('SIGTERM', false);
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return product;
}

async function ready(child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!READY_LINE.test(output())) {
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`Cannery did not become ready. It printed:\n${output()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Lets a held process go on; the product may have ended it meanwhile, since it was silent for long. */
function goOn(id: number): void {
  try {
    process.kill(id, 'SIGCONT');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** A child of the product, or of its role `network`. */
function networkProcesses(product: number | undefined): number[] {
  const all = processes();
  const parents = new Set([product]);
  for (const { id, parent } of all) if (parent === product) parents.add(id);
  return all
    .filter(({ parent, command }) => parents.has(parent) && command.includes('--exit-with-parent'))
    .map(({ id }) => id);
}

/**
 * Ports below those that systems take for outgoing connections (Linux from 32768 on, macOS and Windows from 49152): a connection
 * that is made before the program listens must not get the port.
 */
const PORTS = [20_000, 32_000] as const;

/** A port of this machine that nothing listens on at the moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS);
    if (await isFree(port)) return port;
  }
}

/** Whether nothing listens on a port of this machine. @throws what listening fails with, but for a port that is taken */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
