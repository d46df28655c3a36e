import { AppError } from '../../errors.ts';

/** What bodies that are under way may take of the server, together. */
export interface InFlightLimits {
  /** Bytes of all senders. */
  readonly bytes: number;
  readonly bytesOfSender: number;
  /** Bytes that are sent to one place, such as a webhook. */
  readonly bytesOfPlace: number;
  /** Bodies that one of them sends at the same time. */
  readonly bodiesOfSender: number;
}

/** The body of one request; what it takes is free again when it is disposed of. */
export interface BodyInFlight extends Disposable {
  /** @throws AppError rate_limited when more comes than is left */
  add(bytes: number): void;
}

/** Seconds after which a refused body may come again: most are there in less than one. */
const RETRY_SECONDS = 5;

/** Counts bodies while they are kept for somebody: from their first byte until they are dealt with. */
export class BodiesInFlight {
  readonly #limits: InFlightLimits;
  readonly #taken = new Map<string, number>();

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
  }

  /**
   * @param of.sender the tenant that it counts for
   * @throws AppError rate_limited when too many bodies of the sender are under way
   */
  enter({ sender, place }: { sender: string; place: string }): BodyInFlight {
    const { bytes, bytesOfSender, bytesOfPlace, bodiesOfSender } = this.#limits;
    const bodies = `bodies of ${sender}`;
    const shares = [
      ['all', bytes],
      [sender, bytesOfSender],
      [`place:${place}`, bytesOfPlace],
    ] as const;
    this.#take(bodies, 1, bodiesOfSender);
    let held = 0;
    return {
      add: (more) => {
        if (shares.some(([name, most]) => this.#of(name) + more > most)) throw tooMuch();
        for (const [name, most] of shares) this.#take(name, more, most);
        held += more;
      },
      [Symbol.dispose]: () => {
        this.#give(bodies, 1);
        for (const [name] of shares) this.#give(name, held);
        held = 0;
      },
    };
  }

  #of(name: string): number {
    return this.#taken.get(name) ?? 0;
  }

  #take(name: string, amount: number, most: number): void {
    const taken = this.#of(name) + amount;
    if (taken > most) throw tooMuch();
    this.#taken.set(name, taken);
  }

  #give(name: string, amount: number): void {
    const left = this.#of(name) - amount;
    if (left > 0) this.#taken.set(name, left);
    else this.#taken.delete(name);
  }
}

function tooMuch(): AppError {
  return new AppError('rate_limited', 'Too much is being sent at the same time.', {
    retryAfterSeconds: RETRY_SECONDS,
  });
}
