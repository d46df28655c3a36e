import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from '../src/program.ts';

/** As `npm` has built it, else its source. */
const CLI = process.env['NETWORK_PROGRAM'] ?? fileURLToPath(new URL('../src/cli.ts', import.meta.url));

/** What a run of the command printed and how it ended. */
export interface CommandResult {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs the command to its end. */
export async function runCommand(...args: readonly string[]): Promise<CommandResult> {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [code]] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  const text = (chunks: unknown[]): string => Buffer.concat(chunks as Buffer[]).toString();
  return { code, output: text(output), errors: text(errors) };
}

export interface NetworkOptions {
  readonly port?: number;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** A network in a separate process. */
export class NetworkProcess {
  readonly child: ChildProcess;
  /** Resolves with the address when the network is ready, or with nothing when it ended before. */
  readonly ready: Promise<string | undefined>;
  readonly ended: Promise<unknown>;
  #errors = '';

  /** `port` 0 takes a free one; `env` is added to the environment of the product's network. */
  constructor(dataDir: string, { port = 0, args = [], env: added = {} }: NetworkOptions = {}) {
    // Tests of system canisters name them in `args`; all others start without.
    const services = args.includes('--services') ? [] : ['--services', 'none'];
    const options = [
      '--data-dir',
      dataDir,
      '--port',
      String(port),
      '--exit-with-parent',
      ...services,
      ...args,
    ];
    const env = { ...programEnvironment(process.env), ...added };
    const child = spawn(process.execPath, [CLI, ...options], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.child = child;
    this.ended = once(child, 'close');
    child.stderr.on('data', (chunk: Buffer) => {
      this.#errors += chunk.toString();
    });
    const lines = createInterface({ input: child.stdout });
    this.ready = new Promise((resolve) => {
      lines.on('line', (line) => {
        const url = /^network ready: (http:\S+)$/.exec(line)?.[1];
        if (url) resolve(url);
      });
      lines.once('close', () => resolve(undefined));
    });
  }

  /** Starts it with these options of its command, on a free port. */
  static async start(dataDir: string, ...args: readonly string[]): Promise<NetworkProcess & { url: string }> {
    return NetworkProcess.startAs(dataDir, { args });
  }

  /** As the constructor, when the network is ready. */
  static async startAs(dataDir: string, options: NetworkOptions): Promise<NetworkProcess & { url: string }> {
    const network = new NetworkProcess(dataDir, options);
    const url = await network.ready;
    if (url === undefined) throw new Error(`the network did not start: ${network.errors}`);
    return Object.assign(network, { url });
  }

  /** What it wrote to standard error. */
  get errors(): string {
    return this.#errors;
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.child.kill(signal);
    await this.ended;
  }
}
