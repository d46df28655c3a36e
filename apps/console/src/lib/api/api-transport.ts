import type { Endpoint, RowsReading } from '@cannery/contract';

/** Called with the bytes that have left the browser and the bytes of the whole body. */
export type UploadProgress = (sent: number, total: number) => void;

/** What of an answer the API client reads. */
interface SentAnswer {
  readonly ok: boolean;
  readonly status: number;
  text(): Promise<string>;
}

/**
 * Sends a request like `fetch`, telling its progress on the way.
 * @throws the signal's reason when aborted, TypeError when no answer came
 */
export function sendWithProgress(
  address: string,
  init: RequestInit,
  onProgress: UploadProgress,
): Promise<SentAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<SentAnswer>();
  const { signal } = init;
  if (signal?.aborted) return Promise.reject(signal.reason);
  const request = new XMLHttpRequest();
  const abort = (): void => request.abort();
  request.open(init.method ?? 'GET', address);
  for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
  request.addEventListener('load', () => {
    const { status, responseText } = request;
    resolve({ ok: status >= 200 && status < 300, status, text: () => Promise.resolve(responseText) });
  });
  request.addEventListener('error', () => reject(new TypeError('The connection broke.')));
  request.addEventListener('abort', () => reject(signal?.reason));
  request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort));
  signal?.addEventListener('abort', abort);
  request.send(init.body as XMLHttpRequestBodyInit);
  return promise;
}

/** Rows of a long list that are read before the page gets time for clicks and keys. */
const SLICE = 500;
/** Characters of a long list that are parsed before. */
const PIECE = 500_000;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/**
 * Parses an answer: a long list piece by piece, if it has a row in each line, as the service writes it.
 * @throws SyntaxError when it is no JSON
 */
export async function parseBody(text: string): Promise<unknown> {
  if (text.length < 2 * PIECE || !text.startsWith('[\n') || !text.endsWith('\n]')) return JSON.parse(text);
  const rows: unknown[] = [];
  const end = text.length - 1;
  try {
    for (let at = 1; at < end; ) {
      const cut = text.indexOf(',\n', at + PIECE);
      const to = cut < 0 ? end : cut;
      rows.push(...JSON.parse(`[${text.slice(at, to)}]`));
      at = to + 1;
      await pause();
    }
    return rows;
  } catch {
    // Another service may break its lines elsewhere.
    return JSON.parse(text);
  }
}

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
