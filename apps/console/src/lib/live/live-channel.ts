import { liveChangedEvent, liveSubject, type LiveSubject, type ServerEvent } from '@cannery/contract';
import { ApiError } from '../api/api-error.ts';

/** What the tabs of one browser call the connection that they share, and the channel on which its news are passed on. */
const NAME = 'cannery-live';
/** Pause before a stream that was cut is opened again, in milliseconds; it doubles each time. */
const RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 15_000;
/** The same after there were too many. */
const REFUSED_MS = 10_000;
const TOO_MANY = 429;
/** A stream that is open so soon after its page, in milliseconds, has missed nothing that the page shows. */
const FRESH_MS = 1_000;

const EVERYTHING: readonly LiveSubject[] = [{ kind: 'all' }];

interface Door {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
  close(): void;
}

/** What a channel works with; a browser that lacks the first two has a connection for each tab on show. */
export interface ChannelParts {
  readonly locks: Pick<LockManager, 'request'> | undefined;
  readonly openDoor: ((name: string) => Door) | undefined;
  /** Opens the stream. @throws ApiError */
  readonly openStream: (signal: AbortSignal) => Promise<AsyncIterable<ServerEvent>>;
  readonly visibility: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;
  readonly onNews: (subjects: readonly LiveSubject[]) => void;
  /** The session of the stream is over. */
  readonly onSignedOut: () => void;
}

/**
 * The news of this page. Of the tabs that are on show one holds the connection and passes on what comes; where the browser cannot
 * have them agree, each holds one. A page that nobody sees holds none, for a browser has few connections for all its pages.
 */
export class LiveChannel {
  readonly #parts: ChannelParts;
  readonly #door: Door | undefined;
  readonly #startedAt = Date.now();
  #cut: AbortController | undefined;
  /** The service has no such stream; what is polled goes on being polled. */
  #isOff = false;
  #wasOpen = false;

  constructor(parts: ChannelParts) {
    this.#parts = parts;
    // News may be passed on only where one connection stands for all.
    this.#door = parts.locks === undefined ? undefined : parts.openDoor?.(NAME);
    this.#door?.addEventListener('message', ({ data }) => this.#hear(data));
    parts.visibility.addEventListener('visibilitychange', this.#onVisibility);
    this.#onVisibility();
  }

  /**
   * Opens the stream again where this page holds it. After a sleep of the computer a connection may look open through which nothing
   * comes any more.
   */
  reopen(): void {
    if (this.#cut === undefined) return;
    this.#close();
    this.#onVisibility();
  }

  stop(): void {
    this.#parts.visibility.removeEventListener('visibilitychange', this.#onVisibility);
    this.#close();
    this.#door?.close();
    this.#isOff = true;
  }

  readonly #onVisibility = (): void => {
    if (this.#parts.visibility.visibilityState === 'hidden') {
      this.#close();
    } else if (this.#cut === undefined && !this.#isOff) {
      this.#cut = new AbortController();
      void this.#hold(this.#cut.signal);
    }
  };

  #close(): void {
    this.#cut?.abort();
    this.#cut = undefined;
  }

  /** Follows the stream as soon as no other tab does. */
  async #hold(signal: AbortSignal): Promise<void> {
    const { locks } = this.#parts;
    if (locks === undefined || this.#door === undefined) return this.#follow(signal);
    try {
      await locks.request(NAME, { signal }, () => this.#follow(signal));
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    let retryMs = RETRY_MS;
    while (!signal.aborted && !this.#isOff) {
      const outcome = await this.#read(signal);
      if (signal.aborted || this.#isOff) return;
      if (outcome === 'opened') retryMs = RETRY_MS;
      await pause(outcome === 'too many' ? REFUSED_MS : retryMs, signal);
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
    }
  }

  /** Reads the stream until it is cut. */
  async #read(signal: AbortSignal): Promise<'opened' | 'too many' | 'not opened'> {
    let isOpen = false;
    try {
      const events = await this.#parts.openStream(signal);
      if (signal.aborted) return 'opened';
      isOpen = true;
      this.#catchUp();
      for await (const event of events) {
        if (signal.aborted) return 'opened';
        this.#take(event);
      }
    } catch (error) {
      if (signal.aborted) return 'opened';
      if (error instanceof ApiError && error.status === TOO_MANY) return 'too many';
      if (isForGood(error)) this.#isOff = true;
    }
    return isOpen ? 'opened' : 'not opened';
  }

  /** Nothing that changed while there was no stream is told. */
  #catchUp(): void {
    const isFresh = !this.#wasOpen && Date.now() - this.#startedAt < FRESH_MS;
    this.#wasOpen = true;
    this.#door?.postMessage(EVERYTHING);
    if (!isFresh) this.#parts.onNews(EVERYTHING);
  }

  #take({ type, data }: ServerEvent): void {
    if (type === 'signed_out') {
      this.#isOff = true;
      this.#parts.onSignedOut();
      return;
    }
    if (type !== 'changed') return;
    const subjects = known(JSON.parse(data));
    if (subjects.length === 0) return;
    this.#door?.postMessage(subjects);
    this.#parts.onNews(subjects);
  }

  #hear(passed: unknown): void {
    const subjects = liveChangedEvent.safeParse(passed);
    if (subjects.success) this.#parts.onNews(subjects.data);
  }
}

/** The subjects of an event that this console knows. */
function known(subjects: unknown): LiveSubject[] {
  if (!Array.isArray(subjects)) return [];
  return subjects.flatMap((one: unknown) => {
    const subject = liveSubject.safeParse(one);
    return subject.success ? [subject.data] : [];
  });
}

/** Whether asking again would change nothing: the stream is refused, or the service has none. */
function isForGood(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === 'unreadable_answer' || (error.status >= 400 && error.status < 500);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
