export interface LogRecord {
  readonly index: bigint;
  readonly timestampNanos: bigint;
  readonly content: Uint8Array;
}

/** A line a message produced; it gets its index when the message ends. */
export interface LogLine {
  readonly timestampNanos: bigint;
  readonly content: Uint8Array;
}

export interface CanisterLog {
  readonly nextIndex: bigint;
  readonly records: readonly LogRecord[];
}

export const EMPTY_LOG: CanisterLog = { nextIndex: 0n, records: [] };

export function logBytes(log: CanisterLog): number {
  return log.records.reduce((sum, record) => sum + record.content.length, 0);
}

/** What a record takes besides its content: index and timestamp. */
const RECORD_BYTES = 16;

const sizeOf = ({ content }: LogLine): number => content.length + RECORD_BYTES;

/** The lines of one execution, at most as many as the log can hold afterwards. */
export class StagedLog {
  readonly #limit: number;
  #lines: LogLine[] = [];
  #bytes = 0;
  #dropped = 0n;

  /** `limit`: size of the canister's log in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get lines(): readonly LogLine[] {
    return this.#lines;
  }

  /** Size of the lines in the log. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Lines left out because later ones filled the log. */
  get dropped(): bigint {
    return this.#dropped;
  }

  add(line: LogLine): void {
    this.#lines.push(line);
    this.#bytes += sizeOf(line);
    // Only now and then, so that a line costs the same however many there are.
    if (this.#bytes > 2 * this.#limit + 1024) this.#shorten();
  }

  /** Adds what another execution of the same message printed. */
  append(other: Pick<StagedLog, 'lines' | 'dropped'>): void {
    this.#dropped += other.dropped;
    for (const line of other.lines) this.add(line);
  }

  #shorten(): void {
    const kept = newest(this.#lines, this.#limit);
    this.#dropped += BigInt(this.#lines.length - kept.length);
    this.#lines = kept;
    this.#bytes = kept.reduce((sum, line) => sum + sizeOf(line), 0);
  }
}

function newest<T extends LogLine>(lines: readonly T[], limit: number): T[] {
  let size = 0;
  let first = lines.length;
  while (first > 0) {
    const line = lines[first - 1];
    if (line) size += sizeOf(line);
    if (size > limit) break;
    first -= 1;
  }
  return lines.slice(first);
}

/** Appends lines and drops the oldest records until they fit `limit` bytes again. */
export function withLines(log: CanisterLog, staged: StagedLog, limit: number): CanisterLog {
  let nextIndex = log.nextIndex + staged.dropped;
  const records = [...log.records];
  for (const { timestampNanos, content } of staged.lines) {
    const most = Math.max(0, limit - RECORD_BYTES);
    records.push({ index: nextIndex, timestampNanos, content: content.slice(0, most) });
    nextIndex += 1n;
  }
  return { nextIndex, records: newest(records, limit) };
}
