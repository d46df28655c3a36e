import type { LogLinesEvent } from '@cannery/contract';
import type { Selectable } from 'kysely';
import type { DeployLogLinesTable } from '../db/tables/deploy-tables.ts';
import type { Reader } from '../db/tx.ts';

/** Reads a log from any line on, piece by piece. */
export interface LogReader {
  /** The next lines, in pieces as they were written; none when there is nothing new. */
  next(): Promise<LogLinesEvent[]>;
}

/** Pieces read at a time: one is about 128 KB at most. */
const PIECES = 4;

type Piece = Pick<
  Selectable<DeployLogLinesTable>,
  'seq' | 'text' | 'first_line' | 'written_at' | 'after_ms' | 'phase'
>;

/** Opens a log behind the line of a number, from 1; 0 for all of it. */
export function openLogReader(db: Reader, instanceId: string, after: number): LogReader {
  /** What was read last; undefined until the place is found. */
  let seq: number | undefined;
  let line = 0;

  /** Pieces before this one end before the line. In a log without numbers the lines are counted from its start. */
  async function findPlace(): Promise<number> {
    const found = await db
      .selectFrom('deploy_log_lines')
      .select('seq')
      .where('instance_id', '=', instanceId)
      .where('first_line', '<=', after + 1)
      .orderBy('seq', 'desc')
      .executeTakeFirst();
    return after === 0 || found === undefined ? 0 : found.seq - 1;
  }

  function eventOf(piece: Piece): LogLinesEvent | undefined {
    const first = piece.first_line ?? line + 1;
    const lines = piece.text.split('\n');
    line = first + lines.length - 1;
    if (line <= after) return undefined;
    const known = Math.max(0, after - first + 1);
    return {
      first: first + known,
      text: known === 0 ? piece.text : lines.slice(known).join('\n'),
      at: piece.written_at?.getTime() ?? null,
      after: (piece.after_ms ?? []).slice(known),
      phase: piece.phase,
    };
  }

  return {
    async next() {
      for (;;) {
        seq ??= await findPlace();
        const pieces = await db
          .selectFrom('deploy_log_lines')
          .select(['seq', 'text', 'first_line', 'written_at', 'after_ms', 'phase'])
          .where('instance_id', '=', instanceId)
          .where('seq', '>', seq)
          .orderBy('seq')
          .limit(PIECES)
          .execute();
        seq = pieces.at(-1)?.seq ?? seq;
        const events = pieces.map(eventOf).filter((event) => event !== undefined);
        if (events.length > 0 || pieces.length === 0) return events;
      }
    },
  };
}
