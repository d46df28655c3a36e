import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Rows that are made into text in one go: a few milliseconds, after which other requests get their turn. */
const SLICE = 250;

/**
 * The JSON of a list that may be long, made as its reader takes it. Each row is a line, so that the reader can parse it piece by piece
 * as well: in JSON a line break can only be between values.
 * @param answerOf what the answer has of a row
 */
export function rowStream<Row, Answer>(rows: readonly Row[], answerOf: (row: Row) => Answer): Readable {
  return Readable.from(piecesOf(rows, answerOf), { objectMode: false });
}

async function* piecesOf<Row, Answer>(
  rows: readonly Row[],
  answerOf: (row: Row) => Answer,
): AsyncGenerator<string> {
  yield '[';
  for (let at = 0; at < rows.length; at += SLICE) {
    const lines = rows.slice(at, at + SLICE).map((row) => JSON.stringify(answerOf(row)));
    yield `${at === 0 ? '' : ','}\n${lines.join(',\n')}`;
    await nextTurn();
  }
  yield '\n]';
}
