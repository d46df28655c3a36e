import type { Reader, Tx } from '../db/tx.ts';
import type { Logger } from '../logger.ts';
import { cleanLine } from './clean-line.ts';

/** The log of one deploy instance while it is being written. */
export interface InstanceLog {
  /** Adds a line that a build printed; it is in the database a moment later. */
  line(text: string): void;
  /** Adds a line of the server's own, which is kept also when the build's output has reached its limit. */
  say(text: string): void;
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

/** How long lines are gathered before they are written, in milliseconds. */
const BATCH_MS = 200;
/** Bytes of one log; the last lines of a run are always kept beyond it. */
const LOG_LIMIT = 5 * 1024 * 1024;
/** Lines of one log. The longest build log seen in public projects has 9,000. */
const LINES_LIMIT = 100_000;
/** Characters of one line. */
const LINE_LENGTH = 8_000;
/** Bytes kept free for what the server itself says at the end. */
const RESERVED = 64 * 1024;
const RETRIES = 5;

/** Opens the log of an instance; a run that was taken over goes on behind the lines of its predecessor. */
export async function openInstanceLog(options: InstanceLogOptions): Promise<InstanceLog> {
  const { instanceId } = options;
  const before = await options.db
    .selectFrom('deploy_log_lines')
    .select((select) => [
      select.fn.max('seq').as('last'),
      select.fn.sum<string | number | null>(select.fn('octet_length', ['text'])).as('size'),
    ])
    .where('instance_id', '=', instanceId)
    .executeTakeFirst();
  let seq = (before?.last ?? 0) + 1;
  let size = Number(before?.size ?? 0);
  let pending: string[] = [];
  let lines = 0;
  let isFull = false;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  async function write(batch: string[]): Promise<void> {
    const row = { instance_id: instanceId, seq, text: batch.join('\n') };
    seq += 1;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await options.transact((tx) => tx.insertInto('deploy_log_lines').values(row).execute());
        return;
      } catch (error) {
        if (attempt >= RETRIES) {
          options.log.error({ err: error, instanceId }, 'lines of a deploy log were lost');
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, BATCH_MS * attempt));
      }
    }
  }

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (pending.length > 0) {
      const batch = pending;
      pending = [];
      writing = writing.then(() => write(batch));
    }
    return writing;
  }

  function push(line: string): void {
    pending.push(line);
    timer ??= setTimeout(() => void flush(), BATCH_MS);
  }

  /** Adds a line while there is room. @returns whether there was */
  function add(text: string, limit: number): boolean {
    const line = cleanLine(
      text.length > LINE_LENGTH ? `${text.slice(0, LINE_LENGTH)} …` : text,
      options.secrets,
    );
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
      lines += 1;
      if (lines <= LINES_LIMIT && add(text, LOG_LIMIT)) return;
      isFull = true;
      push(
        `… The output is longer than ${LOG_LIMIT / 1024 ** 2} MB or ${LINES_LIMIT} lines; the rest is not kept.`,
      );
    },
    say(text) {
      add(text, LOG_LIMIT + RESERVED);
    },
    flush,
  };
}

/** The text of an instance's log, or null while it has none. */
export async function readInstanceLog(db: Reader, instanceId: string): Promise<string | null> {
  const rows = await db
    .selectFrom('deploy_log_lines')
    .select('text')
    .where('instance_id', '=', instanceId)
    .orderBy('seq')
    .execute();
  return rows.length === 0 ? null : rows.map(({ text }) => text).join('\n');
}
