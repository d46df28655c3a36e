import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { getCACertificates } from 'node:tls';

/** A host leads elsewhere, which is never followed: what is sent is meant for the one that was named. */
export class MovedError extends Error {
  override readonly name = 'MovedError';
}

/** What is asked for. */
interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type BoundedFetch = (address: string, asked?: Asked) => Promise<Response>;

/** A page of 100 repositories is near 600 kB. */
const ANSWER_BYTES = 4 * 1024 ** 2;
const ANSWER_MS = 10_000;
/** Calls to the hosts at a time, of all tenants together. */
const CONNECTIONS = 8;

/** Statuses whose answers have no body by their definition. */
const BODILESS = new Set([204, 205, 304]);

/**
 * A `fetch` for the operator's own hosts: https to the listed origins only, no redirects, answers bounded in bytes and time.
 * @param options.caFile certificates that are trusted besides the usual ones
 */
export async function createBoundedFetch(options: {
  origins: readonly string[];
  caFile: string | undefined;
}): Promise<BoundedFetch> {
  const { caFile, origins } = options;
  const ca =
    caFile === undefined ? undefined : [...getCACertificates('default'), await readFile(caFile, 'utf8')];
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, ...(ca === undefined ? {} : { ca }) });

  return async (address, { method = 'GET', headers = {}, body } = {}) => {
    const url = new URL(address);
    if (!origins.includes(url.origin)) throw new Error(`${url.origin} is not asked.`);
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    return exchange(url, { agent, method, headers: { ...headers, ...length } }, body);
  };
}

function exchange(url: URL, options: RequestOptions, body: string | undefined): Promise<Response> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const out = request(url, { ...options, signal }, (answer) => {
      const chunks: Buffer[] = [];
      let size = 0;
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > ANSWER_BYTES)
          out.destroy(new Error(`${url.host} answered more than ${ANSWER_BYTES} bytes.`));
        else chunks.push(chunk);
      });
      answer.on('error', reject);
      answer.on('end', () => {
        // What cannot be made of an answer, such as the status 99, must not end this process.
        try {
          resolve(responseOf(url, answer, Buffer.concat(chunks)));
        } catch (error) {
          reject(error);
        }
      });
    });
    out.on('error', (error) =>
      reject(signal.aborted ? new Error(`${url.host} did not answer within ${ANSWER_MS / 1000} s.`) : error),
    );
    out.end(body);
  });
}

/** @throws MovedError; RangeError or TypeError for a status or a header that no answer may have */
function responseOf(url: URL, answer: IncomingMessage, bytes: Uint8Array<ArrayBuffer>): Response {
  const { statusCode: status = 502 } = answer;
  if (status >= 300 && status < 400 && status !== 304)
    throw new MovedError(`${url.host}${url.pathname} has moved.`);
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) headers.set(name, [value].flat().join(', '));
  const response = new Response(BODILESS.has(status) ? null : bytes, { status, headers });
  // A page of a list is told from the others by its address.
  return Object.defineProperty(response, 'url', { value: url.href });
}
