import { Readable } from 'node:stream';
import type { DeployInstanceAnswer } from '@cannery/contract';

/**
 * The JSON of a run with its log, which is read as its reader takes it: as one text it would be made at a stretch, and wait in memory
 * for each reader that takes nothing.
 * @param pieces of the log; between two of them there is a line feed
 */
export function runWithLog(answer: DeployInstanceAnswer, pieces: AsyncIterable<string>): Readable {
  return Readable.from(jsonOf(answer, pieces), { objectMode: false });
}

async function* jsonOf(
  { logs: _none, ...answer }: DeployInstanceAnswer,
  pieces: AsyncIterable<string>,
): AsyncGenerator<string, void> {
  yield `${JSON.stringify(answer).slice(0, -1)},"logs":`;
  let isFirst = true;
  for await (const piece of pieces) {
    const text = JSON.stringify(piece).slice(1, -1);
    yield `${isFirst ? '"' : '\\n'}${text}`;
    isFirst = false;
  }
  yield isFirst ? 'null}' : '"}';
}
