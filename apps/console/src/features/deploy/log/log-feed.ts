import { deployEndpoints, logEndEvent, logLinesEvent, type ServerEvent } from '@cannery/contract';
import { api } from '../../../lib/api/api.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { Listeners } from '../../../lib/browser/store.ts';
import { onWake } from '../../../lib/browser/wake.ts';
import { LogModel, type LogSnapshot } from './log-model.ts';

/** Pause before a stream that was cut is opened again, in milliseconds; longer when the service has asked for it. */
const RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 15_000;
const REFUSED_MS = 10_000;
const TOO_MANY = 429;
/** For so long a poll waits for a stream that is being opened, in milliseconds. */
const OPENING_MS = 1_000;

type RunId = Readonly<Record<'id' | 'instanceId', string>>;

/** What a feed shows of itself. */
interface FeedState {
  readonly log: LogSnapshot;
  /** The service has no such stream; its polls have to bring the log. */
  readonly isOff: boolean;
  /** The run is over, and all of its log is here. */
  readonly isOver: boolean;
}

/** The log of one run as a stream brings it, for as long as somebody reads it and the page is on show. */
class LogFeed {
  readonly #run: RunId;
  readonly #model = new LogModel();
  readonly #listeners = new Listeners();
  #state: FeedState;
  #lastId: string | undefined;
  #cut: AbortController | undefined;
  #isOpen = false;
  #opening: PromiseWithResolvers<void> | undefined;
  #retryMs = RETRY_MS;
  #stayAsleep: (() => void) | undefined;

  constructor(run: RunId) {
    this.#run = run;
    this.#state = { log: this.#model.snapshot(), isOff: false, isOver: false };
  }

  readonly get = (): FeedState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    const leave = this.#listeners.subscribe(listener);
    if (this.#listeners.size === 1) {
      feeds.set(this.#run.instanceId, this);
      document.addEventListener('visibilitychange', this.#onVisibility);
      this.#stayAsleep = onWake(this.#onWake);
      this.#onVisibility();
    }
    return () => {
      leave();
      if (this.#listeners.size > 0) return;
      document.removeEventListener('visibilitychange', this.#onVisibility);
      this.#stayAsleep?.();
      this.#close();
      feeds.delete(this.#run.instanceId);
    };
  };

  /** Whether the stream brings the lines, so that nothing else has to. */
  async bringsLog(): Promise<boolean> {
    if (this.#opening !== undefined) {
      const late = new Promise<void>((resolve) => setTimeout(resolve, OPENING_MS));
      await Promise.race([this.#opening.promise, late]);
    }
    return this.#isOpen || this.#state.isOver;
  }

  /** A browser has few connections for all its pages: a page that nobody sees holds none. */
  readonly #onVisibility = (): void => {
    if (document.visibilityState === 'hidden') this.#close();
    else if (this.#cut === undefined && !this.#state.isOver && !this.#state.isOff) {
      this.#cut = new AbortController();
      void this.#follow(this.#cut.signal);
    }
  };

  /** Through a connection of before a sleep nothing may come any more: the rest is asked for behind the last line that is here. */
  readonly #onWake = (): void => {
    this.#close();
    this.#onVisibility();
  };

  #close(): void {
    this.#cut?.abort();
    this.#cut = undefined;
    this.#isOpen = false;
    this.#opened();
  }

  #opened(): void {
    this.#opening?.resolve();
    this.#opening = undefined;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.#state.isOver && !this.#state.isOff) {
      this.#opening = Promise.withResolvers();
      const pause = await this.#read(signal);
      if (signal.aborted) return;
      this.#isOpen = false;
      this.#opened();
      if (!this.#state.isOver) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** Reads until the stream is cut. @returns how long to wait before it is opened again, in milliseconds */
  async #read(signal: AbortSignal): Promise<number> {
    try {
      const lastEventId = this.#lastId;
      const events = await api.events(deployEndpoints.log, { params: this.#run, lastEventId, signal });
      if (signal.aborted) return 0;
      this.#isOpen = true;
      this.#retryMs = RETRY_MS;
      this.#opened();
      for await (const event of events) {
        if (signal.aborted) return 0;
        this.#take(event);
      }
    } catch (error) {
      if (signal.aborted) return 0;
      if (error instanceof ApiError && error.status === TOO_MANY) return REFUSED_MS;
      if (isForGood(error)) this.#change({ isOff: true });
    }
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
    return this.#retryMs / 2;
  }

  #take({ type, data, id }: ServerEvent): void {
    const content: unknown = JSON.parse(data);
    if (type === 'end' && logEndEvent.safeParse(content).success) this.#change({ isOver: true });
    if (type !== 'lines') return;
    const lines = logLinesEvent.safeParse(content);
    if (!lines.success) return;
    // Lines are missing between what is here and these: they are asked for again, behind the last one that is here.
    if (!this.#model.append(lines.data)) throw new Error('Lines of the log are missing.');
    this.#lastId = id;
    this.#change({ log: this.#model.snapshot() });
  }

  #change(change: Partial<FeedState>): void {
    this.#state = { ...this.#state, ...change };
    this.#listeners.tell();
  }
}

/** Whether asking again would change nothing: the stream is refused, or the service has none. */
function isForGood(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === 'unreadable_answer' || (error.status >= 400 && error.status < 500);
}

/** Those that are read. */
const feeds = new Map<string, LogFeed>();

/** The feed of a run's log; it reads while it has subscribers. */
export function logFeed(run: RunId): Pick<LogFeed, 'get' | 'subscribe'> {
  return feeds.get(run.instanceId) ?? new LogFeed(run);
}

/** Whether a stream brings the log of a run, so that a poll need not. */
export async function streamBringsLog(instanceId: string): Promise<boolean> {
  return (await feeds.get(instanceId)?.bringsLog()) ?? false;
}
