import type { ChildProcess } from 'node:child_process';
import type {
  AheadMessage,
  AskAhead,
  AskNetwork,
  NetworkMessage,
  NetworkView,
} from '@cannery/network/program';
import { AppError } from '../errors.ts';
import { NetworkClock } from './network-time.ts';

/** How long the network may take to say how it is, in milliseconds. */
const PATIENCE_MS = 5_000;

type Change = Omit<AskNetwork, 'askNetwork'>;
type Answer = NetworkMessage | 'no answer';

/** The embedded network in the hands of its server: how it is, its time, and whether its canisters call out. */
export class NetworkControls {
  // The network runs by the same clock.
  readonly #time = new NetworkClock({ isRight: true });
  #child: ChildProcess | undefined;
  #last = 0;
  readonly #asked = new Map<number, (answer: Answer) => void>();

  /** The time of the network. */
  get time(): NetworkClock {
    return this.#time;
  }

  /** Asks this process from now on, and no longer the one before. Resolves when its time is known, or it does not say it. */
  async of(child: ChildProcess): Promise<void> {
    this.#child = child;
    const known = Promise.withResolvers<void>();
    child.on('message', (message: NetworkMessage | AheadMessage | string) => {
      if (typeof message !== 'object' || message === null) return;
      if ('aheadMs' in message) {
        this.#time.hear(message.aheadMs);
        known.resolve();
      } else if ('network' in message) this.#asked.get(message.network)?.(message);
    });
    child.once('exit', () => {
      known.resolve();
      for (const answer of this.#asked.values()) answer('no answer');
    });
    const timer = setTimeout(known.resolve, PATIENCE_MS);
    if (child.connected) child.send({ askAhead: true } satisfies AskAhead, () => undefined);
    await known.promise;
    clearTimeout(timer);
  }

  /** @throws AppError network_unavailable when it does not say it in time */
  view(): Promise<NetworkView> {
    return this.#ask({}, PATIENCE_MS);
  }

  /**
   * Changes the network. Its timers fire on the way to another time, which may take longer than anybody waits: it then goes on.
   * @returns how it is since; undefined when it is not done after `patienceMs`
   * @throws AppError network_shared where others can reach the network, network_rejected, or network_unavailable
   */
  async change(change: Change, patienceMs: number): Promise<NetworkView | undefined> {
    try {
      return await this.#ask(change, patienceMs);
    } catch (error) {
      const isLate = error instanceof AppError && error.code === 'network_unavailable';
      if (isLate && this.#child?.connected === true) return undefined;
      throw error;
    }
  }

  async #ask(change: Change, patienceMs: number): Promise<NetworkView> {
    const child = this.#child;
    if (child?.connected !== true) throw away();
    const id = (this.#last += 1);
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#asked.set(id, resolve);
    const timer = setTimeout(() => resolve('no answer'), patienceMs);
    child.send({ ...change, askNetwork: id } satisfies AskNetwork, (error) => {
      if (error !== null) resolve('no answer');
    });
    try {
      const answer = await promise;
      if (answer === 'no answer') throw away();
      if ('failed' in answer)
        throw new AppError(answer.isForbidden ? 'network_shared' : 'network_rejected', answer.failed);
      this.#time.hear(answer.view.aheadMs);
      return answer.view;
    } finally {
      clearTimeout(timer);
      this.#asked.delete(id);
    }
  }
}

function away(): AppError {
  return new AppError('network_unavailable', 'The embedded network does not answer.');
}
