import type { Clock } from '../clock.ts';

interface Timed {
  readonly atNanos: bigint;
}

/** Entries of which the earliest is at hand; adding one and taking one cost the logarithm of their number. */
class AlarmHeap<T extends Timed> {
  #entries: T[] = [];

  get size(): number {
    return this.#entries.length;
  }

  get first(): T | undefined {
    return this.#entries[0];
  }

  add(entry: T): void {
    const entries = this.#entries;
    let at = entries.length;
    entries.push(entry);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = entries[above];
      if (!parent || parent.atNanos <= entry.atNanos) break;
      entries[at] = parent;
      at = above;
    }
    entries[at] = entry;
  }

  /** Takes the earliest entry out. */
  take(): T | undefined {
    const first = this.#entries[0];
    const last = this.#entries.pop();
    if (last && this.#entries.length > 0) this.#sink(last);
    return first;
  }

  /** Keeps only these entries. */
  keep(entries: Iterable<T>): void {
    this.#entries = [...entries].toSorted((a, b) => (a.atNanos < b.atNanos ? -1 : 1));
  }

  /** Finds the place for an entry that stands at the top. */
  #sink(entry: T): void {
    const entries = this.#entries;
    let at = 0;
    for (;;) {
      const left = entries[2 * at + 1];
      const right = entries[2 * at + 2];
      const [child, place] =
        right && left && right.atNanos < left.atNanos ? [right, 2 * at + 2] : [left, 2 * at + 1];
      if (!child || child.atNanos >= entry.atNanos) break;
      entries[at] = child;
      at = place;
    }
    entries[at] = entry;
  }
}

interface Alarm {
  readonly name: string;
  readonly atNanos: bigint;
  readonly ring: () => void;
}

const NANOS_PER_MS = 1_000_000n;
/**
 * Longest sleep, in milliseconds: subnet time goes on while the machine is suspended and when its clock is put forward, and a timer of
 * the process notices neither.
 */
const MAX_DELAY_MS = 1_000;
/** Alarms that were replaced or cleared stay in the heap until they are this many more than the others. */
const MOST_GONE = 64;

/** Actions due at points of subnet time, each under a name; setting a name again replaces it. */
export class Alarms {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #alarms = new Map<string, Alarm>();
  /** All alarms, and some that are not set any more. */
  readonly #heap = new AlarmHeap<Alarm>();
  #timer: NodeJS.Timeout | undefined;
  #armedFor: bigint | undefined;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  set(name: string, atNanos: bigint, ring: () => void): void {
    const alarm = { name, atNanos, ring };
    this.#alarms.set(name, alarm);
    this.#heap.add(alarm);
    this.#arm();
  }

  /** When the named alarm is due, if it is set. */
  dueTime(name: string): bigint | undefined {
    return this.#alarms.get(name)?.atNanos;
  }

  has(name: string): boolean {
    return this.#alarms.has(name);
  }

  /** When the next alarm is due, if there is one. */
  get next(): bigint | undefined {
    return this.#first()?.atNanos;
  }

  clear(name: string): void {
    if (this.#alarms.delete(name)) this.#arm();
  }

  stop(): void {
    this.#alarms.clear();
    this.#arm();
  }

  /** Rings what is due now, or by `until`; happens by itself, but for time that was set. */
  ring(until?: bigint): void {
    clearTimeout(this.#timer);
    this.#armedFor = undefined;
    const now = until ?? this.#clock.now();
    const due: Alarm[] = [];
    for (let first = this.#first(); first && first.atNanos <= now; first = this.#first()) {
      this.#heap.take();
      this.#alarms.delete(first.name);
      due.push(first);
    }
    for (const alarm of due) alarm.ring();
    this.#arm();
  }

  #arm(): void {
    const next = this.next;
    if (next === this.#armedFor) return;
    clearTimeout(this.#timer);
    this.#armedFor = next;
    if (next === undefined) return;
    const nanos = next - this.#clock.now();
    const delay = nanos <= 0n ? 0 : Math.min(Number(nanos / NANOS_PER_MS) + 1, MAX_DELAY_MS);
    // The thread of an engine is kept by its port; a test that forgets to close its engine must end.
    this.#timer = setTimeout(() => this.ring(), delay).unref();
  }

  #first(): Alarm | undefined {
    if (this.#heap.size > 2 * this.#alarms.size + MOST_GONE) this.#heap.keep(this.#alarms.values());
    for (let first = this.#heap.first; first; first = this.#heap.first) {
      if (this.#alarms.get(first.name) === first) return first;
      this.#heap.take();
    }
    return undefined;
  }
}
