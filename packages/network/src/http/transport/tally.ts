/** What of the HTTP interface a request is for. */
export type AskedFor = 'call' | 'query' | 'read_state' | 'other';
/** `refused`: a status from 400 on, `failed`: one from 500 on. */
type Outcome = 'ok' | 'refused' | 'failed';

/** Bounds of the times that are counted, in milliseconds. */
export const TIME_BOUNDS_MILLIS = [1, 5, 25, 100, 500, 2_500, 10_000] as const;

/** Times of requests of a kind. */
interface Times {
  /** How many took at most as long as the bound of the same place, and longer than the one before; the last took longer than all. */
  readonly counts: readonly number[];
  readonly sumMillis: number;
}

/** What the main thread of a network has done since its start. Plain numbers: to count is a few nanoseconds. */
export interface TallyFigures {
  readonly requests: Readonly<Record<AskedFor, Readonly<Record<Outcome, number>>>>;
  readonly times: Readonly<Record<AskedFor, Times>>;
  /** Pages of canisters that were asked for at the gateway, and those of them that were kept and sent again. */
  readonly pages: { readonly made: number; readonly kept: number };
  /** Connections that were closed, and requests that were refused, since the network holds too much already. */
  readonly turnedAway: number;
}

const KINDS = ['call', 'query', 'read_state', 'other'] as const;

function ofEach<T>(make: () => T): Record<AskedFor, T> {
  return { call: make(), query: make(), read_state: make(), other: make() };
}

/** What the address of a request to the API asks for; of a stranger's address nothing else is looked at. */
export function askedForBy(path: string): AskedFor {
  const last = path.slice(path.lastIndexOf('/') + 1);
  return KINDS.find((kind) => kind === last) ?? 'other';
}

/** Counts what the HTTP interface does. */
export class Tally {
  readonly #requests = ofEach(() => ({ ok: 0, refused: 0, failed: 0 }));
  readonly #times = ofEach(() => ({
    counts: Array.from({ length: TIME_BOUNDS_MILLIS.length + 1 }, () => 0),
    sumMillis: 0,
  }));
  readonly #pages = { made: 0, kept: 0 };
  #turnedAway = 0;

  get figures(): TallyFigures {
    return {
      requests: this.#requests,
      times: this.#times,
      pages: this.#pages,
      turnedAway: this.#turnedAway,
    };
  }

  answered(kind: AskedFor, status: number, millis: number): void {
    this.#requests[kind][status < 400 ? 'ok' : status < 500 ? 'refused' : 'failed'] += 1;
    const times = this.#times[kind];
    const place = TIME_BOUNDS_MILLIS.findIndex((bound) => millis <= bound);
    const at = place === -1 ? TIME_BOUNDS_MILLIS.length : place;
    times.counts[at] = (times.counts[at] ?? 0) + 1;
    times.sumMillis += millis;
  }

  page(how: 'made' | 'kept'): void {
    this.#pages[how] += 1;
  }

  turnedAway(): void {
    this.#turnedAway += 1;
  }
}

/** Of this process, which has one network. */
export const tally = new Tally();
