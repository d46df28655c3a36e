import { Store } from '../browser/store.ts';

/** What the page knows of the way to the service. */
export type ConnectionState =
  | { readonly is: 'there' }
  | {
      readonly is: 'lost';
      /** When a call succeeded last, in milliseconds since 1970; undefined where none has. */
      readonly seenAt: number | undefined;
    };

/** What a connection works on. */
export interface ConnectionParts {
  /** Makes a light call. @returns whether the service has answered within `timeoutMs`; never rejects */
  readonly reach: (timeoutMs: number) => Promise<boolean>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** After a silence of a number of milliseconds a page on show asks whether the service is there: a loss shows within three seconds. */
export const SILENCE_MS = 2_000;
/** The same while a stream of events is open, which ends with the process that writes it. */
export const STREAM_SILENCE_MS = 10_000;
/** A service that answers in this time is slow, not away: milliseconds for a question after a silence. */
const SLOW_MS = 5_000;
/** The same for a question after a call that got no answer, and for each that follows. */
const ANSWER_MS = 2_000;
/** Milliseconds from one question to the next while there is no connection: twice the last, two seconds at most, so that a service that is back is seen within three. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 2_000;

const THERE: ConnectionState = { is: 'there' };

/**
 * Whether the service can be reached, as the calls of this page tell it. A call without an answer is no loss yet: one question more
 * decides, so that a single call that broke shows nothing. Once lost, the service is asked again and again until it answers.
 */
export class Connection {
  readonly #parts: ConnectionParts;
  readonly #state = new Store<ConnectionState>(THERE);
  #seenAt: number | undefined;
  /** The last sign of the service, a refusal included. */
  #heardAt: number;
  #streams = 0;
  #question: Promise<boolean> | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #lostAt = 0;
  /** Milliseconds without a connection before the present loss. */
  #lostMs = 0;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#heardAt = parts.now();
  }

  readonly subscribe = this.#state.subscribe;
  readonly get = this.#state.get;

  /** The service has answered a call. @param succeeded false for a refusal */
  answered(succeeded: boolean): void {
    this.#heardAt = this.#parts.now();
    if (succeeded) this.#seenAt = this.#heardAt;
    if (this.get().is === 'lost') this.#found();
  }

  /** A call got no answer. */
  failed(): void {
    if (this.get().is === 'there') void this.check();
  }

  /** A stream of events is open. @returns what says that it is closed */
  holds(): () => void {
    this.#streams += 1;
    return () => {
      this.#streams -= 1;
    };
  }

  /** Asks when nothing was heard of the service for a while. To be called often while the page is on show. */
  watch(): void {
    const silence = this.#streams > 0 ? STREAM_SILENCE_MS : SILENCE_MS;
    if (this.get().is === 'lost' || this.#parts.now() - this.#heardAt < silence) return;
    void this.check(SLOW_MS);
  }

  /** Asks the service now; all who ask at once share a question. @returns whether it has answered; never rejects */
  check(timeoutMs = ANSWER_MS): Promise<boolean> {
    this.#question ??= this.#ask(timeoutMs).finally(() => {
      this.#question = undefined;
    });
    return this.#question;
  }

  /** A clock that stands still while there is no connection: milliseconds from any beginning. */
  readonly connectedMs = (): number => {
    const now = this.get().is === 'lost' ? this.#lostAt : this.#parts.now();
    return now - this.#lostMs;
  };

  async #ask(timeoutMs: number): Promise<boolean> {
    clearTimeout(this.#again);
    const { reach, now } = this.#parts;
    const askedAt = now();
    if (await reach(timeoutMs)) {
      // It brings nothing that is on show.
      this.answered(false);
      return true;
    }
    // Another call was answered meanwhile.
    if (this.#heardAt > askedAt) return true;
    this.#lose();
    const untilNext = Math.max(FIRST_PAUSE_MS, askedAt + this.#pauseMs - now());
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    this.#again = setTimeout(() => void this.check(), untilNext);
    return false;
  }

  #lose(): void {
    if (this.get().is === 'lost') return;
    this.#lostAt = this.#parts.now();
    this.#state.set({ is: 'lost', seenAt: this.#seenAt });
  }

  #found(): void {
    clearTimeout(this.#again);
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#lostMs += this.#parts.now() - this.#lostAt;
    this.#state.set(THERE);
  }
}
