/** What reading one input of a stranger may cost. Every decoder of foreign bytes is given a budget of these. */
export interface Limits {
  /** Values read, those that take no bytes too: items of lists and maps, nodes of trees, entries of tables. */
  readonly values: number;
  /** How deep values may stand within values. */
  readonly depth: number;
  /** Bytes read, and bytes made of them: what is unpacked or copied counts, too. */
  readonly bytes: number;
}

/** The input asks for more than its budget; the message says of what, in words that its sender may see. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
}

/**
 * What is left for reading one input. A decoder spends it before it works or makes anything, so that neither time nor
 * memory follow a number the input merely claims. All methods throw `BudgetError` when nothing is left.
 */
export class Budget {
  readonly #limits: Limits;
  #values = 0;
  #depth = 0;
  #bytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Whether the input asked for more than there is, however its decoder told so. */
  get isExceeded(): boolean {
    return !(
      this.#values <= this.#limits.values &&
      this.#bytes <= this.#limits.bytes &&
      this.#depth <= this.#limits.depth
    );
  }

  /** What was spent so far, for tests of how work grows with its input. */
  get spent(): Pick<Limits, 'values' | 'bytes'> {
    return { values: this.#values, bytes: this.#bytes };
  }

  /** Spends `count` values: one that is read, or as many as a length announces, before the first of them is. */
  spendValues(count = 1): void {
    this.#values += count;
    if (!(this.#values <= this.#limits.values)) {
      throw new BudgetError(`it has too many values, more than ${this.#limits.values}`);
    }
  }

  /** Spends `count` bytes. */
  spendBytes(count: number): void {
    this.#bytes += count;
    if (!(this.#bytes <= this.#limits.bytes)) {
      throw new BudgetError(`it takes more than ${this.#limits.bytes} bytes`);
    }
  }

  /** Steps into a value that holds others; `leave` steps out. */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > this.#limits.depth) {
      throw new BudgetError(`it is nested more than ${this.#limits.depth} deep`);
    }
  }

  leave(): void {
    this.#depth -= 1;
  }
}
