import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Seen, Told, WatchedCall } from './watched-client.ts';

/** The other client, which makes ordinary calls while attacks go on. */
export class Watched {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static start(calls: readonly WatchedCall[], processes: { server: number; network: number }): Watched {
    const watched = new Watched(fork(fileURLToPath(new URL('./watched-client.ts', import.meta.url))));
    watched.#tell({ kind: 'watch', calls, ...processes });
    return watched;
  }

  /** Forgets what was seen before. */
  async begin(): Promise<void> {
    const begun = once(this.#child, 'message');
    this.#tell({ kind: 'begin' });
    await begun;
  }

  /** What was seen since `begin`. */
  async end(): Promise<Seen> {
    const told = once(this.#child, 'message');
    this.#tell({ kind: 'end' });
    const [seen] = (await told) as [Seen];
    return seen;
  }

  close(): void {
    this.#child.disconnect();
  }

  #tell(told: Told): void {
    this.#child.send(told);
  }
}
