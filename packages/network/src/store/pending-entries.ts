/** Values up to this size stay in memory until the checkpoint; larger ones are read from the log when asked for. */
const INLINE_BYTES = 1_024;

interface LogSlice {
  readonly position: number;
  readonly length: number;
}

type Pending = Uint8Array | LogSlice | 'deleted';

/** The keys that changed since the last checkpoint. */
export class PendingEntries {
  readonly #pending = new Map<string, Pending>();
  readonly #readLog: (position: number, length: number) => Uint8Array;

  constructor(readLog: (position: number, length: number) => Uint8Array) {
    this.#readLog = readLog;
  }

  put(key: string, value: Uint8Array, logPosition: number): void {
    const small = value.length <= INLINE_BYTES;
    this.#pending.set(key, small ? new Uint8Array(value) : { position: logPosition, length: value.length });
  }

  delete(key: string): void {
    this.#pending.set(key, 'deleted');
  }

  has(key: string): boolean {
    return this.#pending.has(key);
  }

  /** The new value, or nothing when the key was deleted or did not change. */
  get(key: string): Uint8Array | undefined {
    const pending = this.#pending.get(key);
    if (pending === undefined || pending === 'deleted') return undefined;
    return pending instanceof Uint8Array
      ? new Uint8Array(pending)
      : this.#readLog(pending.position, pending.length);
  }

  /** Every changed key; deleted ones come without a value. */
  *entries(): Generator<readonly [key: string, value: Uint8Array | undefined]> {
    for (const key of this.#pending.keys()) yield [key, this.get(key)];
  }

  /** Changed keys under a prefix and whether they still exist. */
  *keys(prefix: string): Generator<readonly [key: string, exists: boolean]> {
    for (const [key, pending] of this.#pending)
      if (key.startsWith(prefix)) yield [key, pending !== 'deleted'];
  }

  clear(): void {
    this.#pending.clear();
  }
}
