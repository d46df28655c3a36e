import { type ChildProcess, execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@cannery/dev-env';
import { npmEnvironment } from '../../scripts/steps/bring.mjs';
import type { WalkedProduct } from './walked-product.ts';

const runFile = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
/** The first start fetches about 1 GB of packages. */
const FIRST_START_MS = 1_500_000;
/** How long a stop may take before it is one that does not work. */
const STOP_MS = 30_000;

/** What the machine offers without this checkout: its own Node and npm, and an npm that has fetched nothing yet. */
function environmentOf(folder: string): NodeJS.ProcessEnv {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return {
    ...npmEnvironment(process.env),
    PATH: folders.filter((each) => !each.startsWith(root)).join(path.delimiter),
    npm_config_cache: path.join(folder, 'npm-cache'),
  };
}

/** A clone of this checkout's last commit, in which nothing is installed, started by the commands of the guide. */
export class FreshClone implements WalkedProduct {
  /** Where it was cloned to. */
  readonly folder: string;
  readonly url: string;
  readonly readyMs = FIRST_START_MS;
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #output = '';

  private constructor(folder: string, ports: readonly [number, number], env: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.url = `http://localhost:${ports[0]}`;
    this.#env = { ...env, PORT: String(ports[0]), NETWORK_PORT: String(ports[1]) };
  }

  /** @param inside an empty folder */
  static async make(inside: string): Promise<FreshClone> {
    const folder = path.join(inside, 'cannery');
    await runFile('git', ['clone', '--quiet', root, folder]);
    return new FreshClone(folder, await Promise.all([freePort(), freePort()]), environmentOf(inside));
  }

  start(command: string): Promise<void> {
    this.#output = '';
    // The guide is ours and meant for a shell, so a shell it is.
    const child = spawn('sh', ['-c', command], {
      cwd: this.folder,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
    this.#child = child;
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    this.#child = undefined;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const late = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), STOP_MS);
    // A terminal sends it to all that run in it.
    process.kill(-child.pid, 'SIGINT');
    await ended;
    clearTimeout(late);
  }

  output(): string {
    const { exitCode, signalCode } = this.#child ?? {};
    if (typeof exitCode === 'number' || typeof signalCode === 'string')
      throw new Error(`It ended with ${exitCode ?? signalCode}. It printed:\n${this.#output}`);
    return this.#output;
  }
}
