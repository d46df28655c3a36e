import type { Clock } from '../clock.ts';

interface Alarm {
  readonly atNanos: bigint;
  readonly ring: () => void;
}

const NANOS_PER_MS = 1_000_000n;
/** Longest delay `setTimeout` takes. */
const MAX_DELAY_MS = 2_147_483_647;

/** Actions due at points of subnet time, each under a name; setting a name again replaces it. */
export class Alarms {
  readonly #clock: Clock;
  readonly #alarms = new Map<string, Alarm>();
  #timer: NodeJS.Timeout | undefined;
  #armedFor: bigint | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  set(name: string, atNanos: bigint, ring: () => void): void {
    const known = this.#alarms.get(name);
    this.#alarms.set(name, { atNanos, ring });
    if (known?.atNanos !== atNanos) this.#arm();
  }

  has(name: string): boolean {
    return this.#alarms.has(name);
  }

  clear(name: string): void {
    if (this.#alarms.delete(name)) this.#arm();
  }

  stop(): void {
    this.#alarms.clear();
    this.#arm();
  }

  #arm(): void {
    let next: bigint | undefined;
    for (const { atNanos } of this.#alarms.values()) if (next === undefined || atNanos < next) next = atNanos;
    if (next === this.#armedFor) return;
    clearTimeout(this.#timer);
    this.#armedFor = next;
    if (next === undefined) return;
    const nanos = next - this.#clock.now();
    const delay = nanos <= 0n ? 0 : Math.min(Number(nanos / NANOS_PER_MS) + 1, MAX_DELAY_MS);
    this.#timer = setTimeout(() => this.#ring(), delay);
  }

  #ring(): void {
    this.#armedFor = undefined;
    const now = this.#clock.now();
    const due = [...this.#alarms]
      .filter(([, alarm]) => alarm.atNanos <= now)
      .toSorted(([, a], [, b]) => (a.atNanos < b.atNanos ? -1 : 1));
    for (const [name] of due) this.#alarms.delete(name);
    for (const [, alarm] of due) alarm.ring();
    this.#arm();
  }
}
