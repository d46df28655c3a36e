import type { Endpoint, RowsReading } from '@cannery/contract';

/** Rows of a long list that are read before the page gets time for clicks and keys. */
const SLICE = 500;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/**
 * Reads an answer: leniently where the specification names the call, by its own schema where the call is ours.
 * @throws UnreadableAnswer or the schema's error when the answer does not fit
 */
export async function readAnswer(
  { reading, response }: Pick<Endpoint, 'reading' | 'response'>,
  body: unknown,
): Promise<unknown> {
  if (reading === undefined) return response.parse(body);
  return 'unwrap' in reading ? readRows(reading as RowsReading<unknown>, body) : reading.read(body);
}

/** Reads a long list slice by slice. */
async function readRows<Row>(reading: RowsReading<Row>, body: unknown): Promise<Row[]> {
  const rows = reading.unwrap(body);
  const read: Row[] = [];
  for (let at = 0; at < rows.length; at += SLICE) {
    if (at > 0) await pause();
    read.push(...reading.readRows(rows.slice(at, at + SLICE)));
  }
  return read;
}
