import type { RunPhase } from '@cannery/contract';
import { sql } from 'kysely';
import type { Reader, Tx } from '../db/tx.ts';
import type { Logger } from '../log/logger.ts';
import { isDatabaseAway } from '../storage-errors.ts';
import { withoutMiddle } from '../builders/process/cut-line.ts';
import { cleanLine } from './clean-line.ts';
import { tell } from './notices.ts';
import { SecretHider } from './secret-hider.ts';

/** The log of one deploy instance while it is being written. */
export interface InstanceLog {
  /** Adds a line that a build printed; it is in the database a moment later. */
  line(text: string): void;
  /**
   * Adds a line of the server's own, which is kept also when the build's output has reached its limit.
   * @param phase the phase of the run that begins with this line
   */
  say(text: string, phase?: RunPhase): void;
  /** Waits until every line so far is in the database. */
  flush(): Promise<void>;
}

export interface InstanceLogOptions {
  transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  db: Reader;
  log: Logger;
  instanceId: string;
  /** Texts that must never be seen. */
  secrets: readonly string[];
}

/** How long lines are gathered before they are written, in milliseconds; the first after a pause goes sooner. */
const BATCH_MS = 100;
const FIRST_MS = 10;
/** Characters that are written at once without waiting for more. */
const BATCH_LENGTH = 128 * 1024;
/** Bytes of one log; the last lines of a run are always kept beyond it. */
const LOG_LIMIT = 5 * 1024 * 1024;
/** Lines of one log. The longest build log seen in public projects has 9,000. */
const LINES_LIMIT = 100_000;
/** Characters of one line, and of these what is kept of the end of a longer one. */
const LINE_LENGTH = 8_000;
const LINE_END = 2_000;
/** Bytes kept free for what the server itself says at the end. */
const RESERVED = 64 * 1024;
const RETRIES = 5;
/** As often while the database is away: it has about a minute to come back, as a database that fails over needs. */
const RETRIES_AWAY = 24;
/** Pause before lines are written again that could not be, in milliseconds; longer each time. */
const RETRY_MS = 200;

/** Lines that are written together: those of a moment and of one phase. */
interface Batch {
  readonly phase: RunPhase | null;
  readonly writtenAt: Date;
  readonly lines: string[];
  readonly afterMs: number[];
  length: number;
}

/** The subject of news about a log: it has grown, or its run has moved on. */
export const logNews = (instanceId: string): string => `log:${instanceId}`;

/** Puts lines in place of the last ones; those that are gone already are left out. */
function replaceLast(lines: string[], others: readonly string[]): void {
  const some = others.slice(-lines.length);
  lines.splice(lines.length - some.length, some.length, ...some);
}

/** What is in a log already. */
async function extentOf(
  db: Reader,
  instanceId: string,
): Promise<{ seq: number; lines: number; bytes: number }> {
  const found = await db
    .selectFrom('deploy_log_lines')
    .select((select) => [
      select.fn.max('seq').as('last'),
      sql<number>`sum(length(text) - length(replace(text, E'\n', '')) + 1)::bigint`.as('lines'),
      sql<number>`sum(octet_length(text))::bigint`.as('bytes'),
    ])
    .where('instance_id', '=', instanceId)
    .executeTakeFirst();
  return { seq: found?.last ?? 0, lines: Number(found?.lines ?? 0), bytes: Number(found?.bytes ?? 0) };
}

/** Adds one line to a log that nobody has open, in the caller's transaction. */
export async function addLogLine(tx: Tx, instanceId: string, text: string): Promise<void> {
  const { seq, lines } = await extentOf(tx, instanceId);
  const place = { instance_id: instanceId, seq: seq + 1, first_line: lines + 1 };
  const time = { written_at: new Date(), after_ms: [0] };
  await tx
    .insertInto('deploy_log_lines')
    .values({ ...place, ...time, text })
    .execute();
  await tell(tx, logNews(instanceId));
}

/** Opens the log of an instance; a run that was taken over goes on behind the lines of its predecessor. */
export async function openInstanceLog(options: InstanceLogOptions): Promise<InstanceLog> {
  const { instanceId } = options;
  const hider = new SecretHider(options.secrets);
  const before = await extentOf(options.db, instanceId);
  let { seq, lines: written, bytes: size } = before;
  let printed = before.lines;
  let pending: Batch | null = null;
  let phase: RunPhase | null = null;
  let isFull = false;
  let timer: NodeJS.Timeout | null = null;
  let flushedAt = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();

  async function write(batch: Batch): Promise<void> {
    seq += 1;
    const place = { instance_id: instanceId, seq, first_line: written + 1 };
    written += batch.lines.length;
    const time = { written_at: batch.writtenAt, after_ms: batch.afterMs };
    const row = { ...place, ...time, phase: batch.phase, text: batch.lines.join('\n') };
    for (let attempt = 1; ; attempt += 1) {
      try {
        await options.transact(async (tx) => {
          // An earlier attempt may have been committed though nobody heard of it.
          await tx
            .insertInto('deploy_log_lines')
            .values(row)
            .onConflict((conflict) => conflict.columns(['instance_id', 'seq']).doNothing())
            .execute();
          await tell(tx, logNews(instanceId));
        });
        return;
      } catch (error) {
        if (attempt >= (isDatabaseAway(error) ? RETRIES_AWAY : RETRIES)) {
          options.log.error({ err: error, instanceId }, 'lines of a deploy log were lost');
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS * attempt));
      }
    }
  }

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (pending !== null) {
      const batch = pending;
      pending = null;
      flushedAt = performance.now();
      writing = writing.then(() => write(batch));
    }
    return writing;
  }

  function push(line: string): void {
    const now = Date.now();
    pending ??= { phase, writtenAt: new Date(now), lines: [], afterMs: [], length: 0 };
    pending.lines.push(line);
    // The clock may have been put back since the batch began.
    pending.afterMs.push(Math.max(0, now - pending.writtenAt.getTime()));
    pending.length += line.length;
    if (pending.length >= BATCH_LENGTH) void flush();
    else
      timer ??= setTimeout(() => void flush(), Math.max(FIRST_MS, flushedAt + BATCH_MS - performance.now()));
  }

  /** Adds a line while there is room. @returns whether there was */
  function add(text: string, limit: number): boolean {
    const { text: line, before } = cleanLine(withoutMiddle(text, LINE_LENGTH - LINE_END, LINE_END), hider);
    // Lines that are written already keep the few characters that they have of a secret.
    if (before !== undefined && pending !== null) replaceLast(pending.lines, before);
    const bytes = Buffer.byteLength(line) + 1;
    if (size + bytes > limit) return false;
    size += bytes;
    push(line);
    return true;
  }

  return {
    line(text) {
      // A flood goes on when its log is full; from then on a line costs nothing.
      if (isFull) return;
      printed += 1;
      if (printed <= LINES_LIMIT && add(text, LOG_LIMIT)) return;
      isFull = true;
      push(
        `… The output is longer than ${LOG_LIMIT / 1024 ** 2} MB or ${LINES_LIMIT} lines; the rest is not kept.`,
      );
    },
    say(text, next) {
      if (next !== undefined && next !== phase) {
        void flush();
        phase = next;
      }
      add(text, LOG_LIMIT + RESERVED);
    },
    flush,
  };
}

/** The text of an instance's log, or null while it has none. */
export async function readInstanceLog(db: Reader, instanceId: string): Promise<string | null> {
  const pieces = await Array.fromAsync(logPieces(db, instanceId));
  return pieces.length === 0 ? null : pieces.join('\n');
}

/** Rows read at a time at most; large ones are read one by one, so that a reader who waits holds little. */
const MOST_ROWS = 64;
/** Characters read at a time, about. */
const PIECE_LENGTH = 64 * 1024;

/** The lines of a log in pieces of about 64 KB, without the line feed between two pieces; none where nothing was logged. */
export async function* logPieces(db: Reader, instanceId: string): AsyncGenerator<string, void> {
  let rows = 1;
  for (let after = 0; ; ) {
    const read = await db
      .selectFrom('deploy_log_lines')
      .select(['seq', 'text'])
      .where('instance_id', '=', instanceId)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(rows)
      .execute();
    const last = read.at(-1);
    if (last === undefined) return;
    after = last.seq;
    const piece = read.map(({ text }) => text).join('\n');
    rows = piece.length > PIECE_LENGTH ? 1 : Math.min(MOST_ROWS, rows * 2);
    yield piece;
  }
}
