import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { delayAt, loopDelays } from './loop-delays.ts';

/** What an attack takes of a bare Node server: resident memory in MiB that it grows by, and work at a stretch at p99.9 in milliseconds. */
export interface Floor {
  readonly memory: number;
  readonly worked: number;
}

export const NO_FLOOR: Floor = { memory: 0, worked: 0 };

const PROGRAM = fileURLToPath(new URL('../network/floor-server.ts', import.meta.url));
const MEMORY_EVERY_MILLIS = 50;
const SHARE = 0.999;

/** A server of Node without anything of ours: what the same attack takes of it, no server on Node can do without. */
export class BareServer implements AsyncDisposable {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(child: ChildProcess, port: number, folder: string) {
    this.#child = child;
    this.port = port;
    this.#folder = folder;
  }

  /** @param env as the product's, which tells of its event loop in `folder` */
  static async start(folder: string, env: Readonly<Record<string, string>>): Promise<BareServer> {
    const child = spawn(process.execPath, [PROGRAM], {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [first] = (await once(child.stdout, 'data')) as [Buffer];
    return new BareServer(child, Number(first.toString()), folder);
  }

  /** Measures it while `attack` goes on. */
  async during(attack: () => Promise<void>): Promise<Floor> {
    const { pid = 0 } = this.#child;
    const resident = (): number => {
      if (this.#child.exitCode !== null) throw new Error('The bare server has ended.');
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
    };
    const before = resident();
    await loopDelays(this.#folder, pid);
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, resident());
    }, MEMORY_EVERY_MILLIS);
    await attack();
    clearInterval(watch);
    const { count, delays } = await loopDelays(this.#folder, pid);
    const worked = delayAt({ count, values: delays.map(([, each]) => each) }, SHARE);
    return { memory: most - before, worked };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill();
    await ended;
  }
}
