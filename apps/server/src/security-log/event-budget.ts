import type { SecurityEvent } from './security-events.ts';

/** How many lines there may be. */
export interface EventLimits {
  readonly windowMs: number;
  /** Lines of one kind of event for one client in a window. */
  readonly perClient: number;
  /** Lines of one kind of event for all clients in a window. */
  ofKind(event: SecurityEvent): number;
  /** Clients that are told apart in a window; of others it is counted only how many events there were. */
  readonly mostClients: number;
  /** Clients of one kind of event that get a summary for themselves; the others share one. */
  readonly mostSummaries: number;
}

/** Events of a window of which there is no line. */
export interface Summary {
  readonly event: SecurityEvent;
  /** Who caused them; undefined for several clients. */
  readonly client: string | undefined;
  readonly more: number;
}

interface Counted {
  readonly event: SecurityEvent;
  readonly client: string;
  written: number;
  hidden: number;
}

/**
 * Decides which events get a line: some of each kind and client in a window of time, then none, and a summary when the window is over.
 * An event costs two looks into a map; what is kept is bounded, whoever calls and however often.
 */
export class EventBudget {
  readonly #limits: EventLimits;
  readonly #summarise: (summary: Summary) => void;
  readonly #now: () => number;
  readonly #clients = new Map<string, Counted>();
  readonly #kinds = new Map<SecurityEvent, { written: number; hidden: number }>();
  #begun = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param summarise is told of what has had no line, when its window is over
   * @param now milliseconds from any start
   */
  constructor(
    limits: EventLimits,
    summarise: (summary: Summary) => void,
    now: () => number = () => performance.now(),
  ) {
    this.#limits = limits;
    this.#summarise = summarise;
    this.#now = now;
  }

  /** Counts an event. @returns whether it gets a line */
  take(event: SecurityEvent, client: string): boolean {
    const now = this.#now();
    if (now - this.#begun >= this.#limits.windowMs) {
      this.end();
      this.#begun = now;
    }
    const ofKind = this.#ofKind(event);
    const own = this.#ofClient(event, client);
    const isWithin = own === undefined || own.written < this.#limits.perClient;
    if (isWithin && ofKind.written < this.#limits.ofKind(event)) {
      ofKind.written += 1;
      if (own !== undefined) own.written += 1;
      return true;
    }
    (own ?? ofKind).hidden += 1;
    // A flood that ends is told of as well.
    this.#timer ??= setTimeout(() => this.end(), this.#limits.windowMs).unref();
    return false;
  }

  /** Ends the window: says what has had no line, and forgets all counts. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#begun = -Infinity;
    const hidden = [...this.#clients.values()].filter((one) => one.hidden > 0);
    hidden.sort((a, b) => b.hidden - a.hidden);
    const summaries = new Map<SecurityEvent, number>();
    for (const { event, client, hidden: more } of hidden) {
      const before = summaries.get(event) ?? 0;
      if (before < this.#limits.mostSummaries) this.#summarise({ event, client, more });
      else this.#ofKind(event).hidden += more;
      summaries.set(event, before + 1);
    }
    for (const [event, { hidden: more }] of this.#kinds)
      if (more > 0) this.#summarise({ event, client: undefined, more });
    this.#clients.clear();
    this.#kinds.clear();
  }

  #ofKind(event: SecurityEvent): { written: number; hidden: number } {
    const known = this.#kinds.get(event);
    if (known !== undefined) return known;
    const counted = { written: 0, hidden: 0 };
    this.#kinds.set(event, counted);
    return counted;
  }

  #ofClient(event: SecurityEvent, client: string): Counted | undefined {
    const key = `${event} ${client}`;
    const known = this.#clients.get(key);
    if (known !== undefined || this.#clients.size >= this.#limits.mostClients) return known;
    const counted = { event, client, written: 0, hidden: 0 };
    this.#clients.set(key, counted);
    return counted;
  }
}
