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

/** Appends lines and drops the oldest records until the content fits `limit` bytes again. */
export function withLines(log: CanisterLog, lines: readonly LogLine[], limit: number): CanisterLog {
  let nextIndex = log.nextIndex;
  const records = [...log.records];
  for (const line of lines) {
    records.push({
      index: nextIndex,
      timestampNanos: line.timestampNanos,
      content: line.content.slice(0, limit),
    });
    nextIndex += 1n;
  }
  let size = records.reduce((sum, record) => sum + record.content.length, 0);
  let first = 0;
  while (first < records.length && size > limit) {
    size -= records[first]?.content.length ?? 0;
    first += 1;
  }
  return { nextIndex, records: records.slice(first) };
}
