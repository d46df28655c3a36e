import type { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The library of metrics, which is loaded only where a port for metrics is set. */
export type MetricsLibrary = typeof import('prom-client');

/** What something is called that is measured. Labels have few values, all of them ours: never a text of a stranger. */
interface Named<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly L[];
}

/** One thing that is measured. It costs nothing until it is shown to somebody. */
interface Instrument {
  readonly name: string;
  /** Makes its metric; what it measures from now on counts. */
  show(library: MetricsLibrary, registry: Registry): void;
}

/** Everything that code of the server measures; what is asked for at a scrape only is in `observe`. */
const instruments: Instrument[] = [];

/** Shows all that is measured, in a registry. What was shown in an earlier one stays there as it is. */
export function showInstruments(library: MetricsLibrary, registry: Registry): void {
  for (const instrument of instruments) instrument.show(library, registry);
}

/** How often something has happened. */
export class Count<L extends string = never> implements Instrument {
  readonly name: string;
  readonly #named: Named<L>;
  #shown: Counter<L> | undefined;

  constructor(named: Named<L>) {
    this.name = named.name;
    this.#named = named;
    instruments.push(this);
  }

  /** @param by how often, or how many bytes: 0 or more */
  add(labels: Readonly<Record<L, string>>, by = 1): void {
    this.#shown?.inc(labels, by);
  }

  show({ Counter: Metric }: MetricsLibrary, registry: Registry): void {
    const { name, help, labels = [] } = this.#named;
    this.#shown = new Metric({ name, help, labelNames: labels, registers: [registry] });
  }
}

/** How long something takes. */
export class Timing<L extends string = never> implements Instrument {
  readonly name: string;
  readonly #named: Named<L> & { readonly seconds: readonly number[] };
  #shown: Histogram<L> | undefined;

  /** @param named.seconds the bounds up to which it is told how often it took no longer */
  constructor(named: Named<L> & { readonly seconds: readonly number[] }) {
    this.name = named.name;
    this.#named = named;
    instruments.push(this);
  }

  /** @param ms in milliseconds */
  took(labels: Readonly<Record<L, string>>, ms: number): void {
    this.#shown?.observe(labels, ms / 1000);
  }

  show({ Histogram: Metric }: MetricsLibrary, registry: Registry): void {
    const { name, help, labels = [], seconds } = this.#named;
    this.#shown = new Metric({
      name,
      help,
      labelNames: labels,
      buckets: [...seconds],
      registers: [registry],
    });
  }
}

/** How many there are of something now. It counts from the start of the process, shown or not. */
export class Level implements Instrument {
  readonly name: string;
  readonly #help: string;
  #value = 0;
  #read: (() => number) | undefined;

  constructor({ name, help }: Named<never>) {
    this.name = name;
    this.#help = help;
    instruments.push(this);
  }

  /** There are more, or with a number below 0 fewer. */
  add(more: number): void {
    this.#value += more;
  }

  set(value: number): void {
    this.#value = value;
  }

  /** From now on it is what this answers whenever it is asked for, such as an age. */
  follow(read: () => number): void {
    this.#read = read;
  }

  show({ Gauge: Metric }: MetricsLibrary, registry: Registry): void {
    const value = (): number => this.#read?.() ?? this.#value;
    new Metric({
      name: this.name,
      help: this.#help,
      registers: [registry],
      collect(this: Gauge) {
        this.set(value());
      },
    });
  }
}
