import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const READY_LINE = /^Cannery is ready: (\S+)$/m;
const READY_TIMEOUT_MS = 90_000;

export interface ProductOptions {
  /** Kept after the product stops when given; otherwise a temporary folder that `dispose` removes. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
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
  /** Starts again on the same ports and data. */
  restart(): Promise<void>;
  /** Stops and removes a temporary data folder. */
  dispose(): Promise<void>;
}

/** @throws Error with the product's output when it does not become ready in time. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const dataDir = options.dataDir ?? mkdtempSync(path.join(tmpdir(), 'cannery-env-'));
  const [port, networkPort] = await Promise.all([freePort(), freePort()]);
  const env = {
    ...process.env,
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
    const args = ['apps/server/src/main.ts'];
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
      for (const pid of await childrenOf(child.pid)) {
        if (pid.command.includes('packages/network')) process.kill(pid.id, 'SIGKILL');
      }
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

/** Direct children of a process with their command lines. */
async function childrenOf(parent: number | undefined): Promise<readonly { id: number; command: string }[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args=']);
  return stdout
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null && Number(match[2]) === parent)
    .map((match) => ({ id: Number(match?.[1]), command: match?.[3] ?? '' }));
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
