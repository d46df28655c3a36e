import type { ChildProcess } from 'node:child_process';
import type { AskForFigures, FiguresMessage, NetworkFigures } from '@cannery/network/program';

/** How long the network may take to say how it is doing, in milliseconds. */
const PATIENCE_MS = 1_500;

/** Asks the process of the embedded network how it is doing, over the channel to it. */
export class FiguresOfNetwork {
  #child: ChildProcess | undefined;
  #last = 0;
  readonly #asked = new Map<number, (figures: NetworkFigures | undefined) => void>();

  /** Asks this process from now on, and no longer the one before. */
  of(child: ChildProcess): void {
    this.#child = child;
    child.on('message', (message: FiguresMessage | string) => {
      if (typeof message !== 'object' || message === null || !('figures' in message)) return;
      this.#asked.get(message.figures)?.('values' in message ? message.values : undefined);
    });
  }

  /** @returns undefined when the process does not answer in time, or is just being started again */
  async ask(patienceMs = PATIENCE_MS): Promise<NetworkFigures | undefined> {
    const child = this.#child;
    if (!child?.connected) return undefined;
    const id = (this.#last += 1);
    const { promise, resolve } = Promise.withResolvers<NetworkFigures | undefined>();
    this.#asked.set(id, resolve);
    const timer = setTimeout(() => resolve(undefined), patienceMs);
    child.send({ askForFigures: id } satisfies AskForFigures, (error) => {
      if (error !== null) resolve(undefined);
    });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#asked.delete(id);
    }
  }
}
