import { setTimeout as delay } from 'node:timers/promises';
import { hex } from '@cannery/ic/certification/bytes';
import type { Engine } from '@cannery/replica/messages';

/** A canister that was held still has at least this long for its messages until it is again, and at most. */
const SHORTEST_REST_MS = 5;
const LONGEST_REST_MS = 100;

interface Turn<Certificate> {
  readonly certificate: Promise<Certificate>;
  /** How many run something on the state that the certificate is for. */
  users: number;
  readonly end: () => void;
}

/**
 * Holds a canister still while its state is certified and queries run on it. Those that wait for the same canister
 * share a turn; between two turns the canister goes on for as long as it was held.
 */
export class StillCanisters<Certificate> {
  readonly #engine: Engine;
  readonly #certify: (canisterId: Uint8Array) => Promise<Certificate>;
  /** Turns whose certificate is not there yet. */
  readonly #open = new Map<string, Turn<Certificate>>();
  /** When the next turn of a canister may begin. */
  readonly #rested = new Map<string, Promise<void>>();

  constructor(engine: Engine, certify: (canisterId: Uint8Array) => Promise<Certificate>) {
    this.#engine = engine;
    this.#certify = certify;
  }

  /** What `action` brings, which gets a certificate of the state the canister is held in. */
  async during<T>(canisterId: Uint8Array, action: (certificate: Certificate) => Promise<T>): Promise<T> {
    const key = hex(canisterId);
    const turn = this.#open.get(key) ?? this.#begin(canisterId, key);
    turn.users += 1;
    try {
      return await action(await turn.certificate);
    } finally {
      turn.users -= 1;
      if (turn.users === 0) turn.end();
    }
  }

  #begin(canisterId: Uint8Array, key: string): Turn<Certificate> {
    const before = this.#rested.get(key);
    const ended = Promise.withResolvers<void>();
    let begun = performance.now();
    const rested = ended.promise.then(async () => {
      const held = performance.now() - begun;
      await delay(Math.min(LONGEST_REST_MS, Math.max(SHORTEST_REST_MS, held)), undefined, { ref: false });
      if (this.#rested.get(key) === rested) this.#rested.delete(key);
    });
    this.#rested.set(key, rested);
    const certificate = async (): Promise<Certificate> => {
      await before;
      begun = performance.now();
      await this.#engine.hold(canisterId);
      return this.#certify(canisterId);
    };
    const turn = {
      certificate: certificate().finally(() => this.#open.delete(key)),
      users: 0,
      end: () => {
        this.#engine.release(canisterId);
        ended.resolve();
      },
    };
    this.#open.set(key, turn);
    return turn;
  }
}
