import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { connect as startTls } from 'node:tls';
import { connectToHost, type Resolve, systemResolve } from '../egress/connect.ts';
import type { EgressHost } from '../egress/egress-host.ts';
import { PictureError } from './picture-error.ts';

const MAX_BYTES = 5 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 3;

export interface FetchOptions {
  /** Whether the operator lets this host have an address that is not public. */
  readonly mayBePrivate: (name: string, port: number) => boolean;
  readonly resolve?: Resolve;
}

/**
 * Fetches a picture at an address that somebody else has named: https only, each host resolved here and connected to at
 * the very address that was checked to be public, redirects included.
 * @throws PictureError, or EgressError when the host is refused or does not answer
 */
export async function fetchPicture(address: string, options: FetchOptions): Promise<Buffer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let here = address;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const answer = await get(httpsUrl(here), options, signal);
    const { statusCode = 0, headers } = answer;
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      answer.destroy();
      here = URL.parse(headers.location, here)?.href ?? headers.location;
      continue;
    }
    if (statusCode === 200) return await bodyOf(answer);
    answer.destroy();
    throw new PictureError(`The host of the picture answered with status ${statusCode}.`);
  }
  throw new PictureError('The address of the picture leads from one place to another.');
}

function httpsUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'https:') throw new PictureError('The address of the picture is not https.');
  return url;
}

async function get(url: URL, options: FetchOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const port = url.port === '' ? 443 : Number(url.port);
  const host: EgressHost = {
    name: url.hostname,
    port,
    plain: false,
    mayBePrivate: options.mayBePrivate(url.hostname, port),
    what: 'host',
  };
  const socket = await connectToHost(host, options.resolve ?? systemResolve, TIMEOUT_MS);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request(
    {
      host: url.hostname,
      port,
      path: `${url.pathname}${url.search}`,
      headers: { accept: 'image/webp, image/png, image/jpeg, image/gif', 'user-agent': 'Cannery' },
      // Without an agent, which would resolve the name a second time and connect by itself.
      createConnection: () => startTls({ socket, servername: url.hostname }),
      signal,
    },
    resolve,
  );
  sent.once('error', (error) => {
    socket.destroy();
    reject(error);
  });
  sent.end();
  return promise;
}

async function bodyOf(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new PictureError('The picture is larger than 5 MiB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
