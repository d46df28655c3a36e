import { setImmediate as nextTurn } from 'node:timers/promises';

/** Rows that are made into text in one go: a few milliseconds, after which other requests get their turn. */
const SLICE = 250;

/** The text of an answer that is JSON already. It is counted while nobody takes it (`limit-answers.ts`), as a stream is not. */
export class JsonText<Answer> {
  /** What it is the JSON of. */
  declare readonly of: Answer;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * The JSON of a list that may be long, made in turns. Each row is a line, so that its reader can parse it piece by piece as well: in JSON a
 * line break can only be between values.
 * @param answerOf what the answer has of a row
 */
export async function jsonRows<Row, Answer>(
  rows: readonly Row[],
  answerOf: (row: Row) => Answer,
): Promise<JsonText<Answer[]>> {
  const pieces: string[] = [];
  for (let at = 0; at < rows.length; at += SLICE) {
    const lines = rows.slice(at, at + SLICE).map((row) => JSON.stringify(answerOf(row)));
    pieces.push(lines.join(',\n'));
    if (at + SLICE < rows.length) await nextTurn();
  }
  return new JsonText(pieces.length === 0 ? '[]' : `[\n${pieces.join(',\n')}\n]`);
}
