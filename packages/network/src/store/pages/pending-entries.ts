import { entrySum } from '../files/checksum.ts';
import { StoreDamagedError } from '../files/errors.ts';
import type { RecordContent } from '../log/record.ts';
import type { RedoLog } from '../log/redo-log.ts';
import { SortedKeys } from './sorted-keys.ts';

/** Values up to this size stay in memory until the checkpoint; larger ones are read from the log when asked for. */
const INLINE_BYTES = 1_024;

interface LogSlice {
  readonly position: number;
  readonly length: number;
  readonly sum: number;
}

type Pending = Uint8Array | LogSlice | 'deleted';

/** The keys that one log changed. */
export class PendingEntries {
  readonly #pending = new Map<string, Pending>();
  readonly #log: RedoLog;
  #sorted: SortedKeys | undefined;

  constructor(log: RedoLog) {
    this.#log = log;
  }

  /** Takes over a record that stands at `logPosition`. */
  apply(content: RecordContent, logPosition: number): void {
    this.#sorted = undefined;
    for (const key of content.deletes) this.#pending.set(key, 'deleted');
    for (const { key, value, position } of content.puts) this.#put(key, value, logPosition + position);
  }

  #put(key: string, value: Uint8Array, logPosition: number): void {
    const small = value.length <= INLINE_BYTES;
    this.#pending.set(
      key,
      small
        ? new Uint8Array(value)
        : { position: logPosition, length: value.length, sum: entrySum(key, value) },
    );
  }

  has(key: string): boolean {
    return this.#pending.has(key);
  }

  /** The new value, or nothing when the key was deleted or did not change. Throws `StoreDamagedError`. */
  get(key: string): Uint8Array | undefined {
    const pending = this.#pending.get(key);
    if (pending === undefined || pending === 'deleted') return undefined;
    if (pending instanceof Uint8Array) return new Uint8Array(pending);
    const value = new Uint8Array(this.#log.read(pending.position, pending.length));
    if (entrySum(key, value) === pending.sum) return value;
    throw new StoreDamagedError(this.#log.path, `the entry ${key} in it is broken`);
  }

  /** Every changed key; deleted ones come without a value. */
  *entries(): Generator<readonly [key: string, value: Uint8Array | undefined]> {
    for (const key of this.#pending.keys()) yield [key, this.get(key)];
  }

  /** Changed keys under a prefix and whether they still exist. */
  *keys(prefix: string): Generator<readonly [key: string, exists: boolean]> {
    this.#sorted ??= new SortedKeys(this.#pending.keys());
    for (const key of this.#sorted.withPrefix(prefix)) yield [key, this.#pending.get(key) !== 'deleted'];
  }
}
