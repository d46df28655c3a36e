import {
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import type { IcTypes } from '@cannery/ic/generated/ic-interface';
import { headersBytes, messageFault } from '../../management/outcalls/outcall-limits.ts';
import type { HttpHeader, Outcall, OutcallPolicy } from '../../state/outcall.ts';
import { outcallAddress } from './outcall-address.ts';

/** A request that got no usable response. `fatal`: it would fail again; `transient`: it may be tried again. */
export class OutcallError extends Error {
  override readonly name = 'OutcallError';
  readonly kind: 'fatal' | 'transient';

  constructor(kind: 'fatal' | 'transient', message: string) {
    super(message);
    this.kind = kind;
  }
}

/** `http_request_timeout_secs` of the replica's adapter. */
const OUTCALL_TIMEOUT_MS = 30_000;
const USER_AGENT = 'ic/1.0';
/** More than the limits of the specification, so that they decide. */
const MAX_HEADER_BYTES = 128 * 1024;
const SHOWN_HOST = 50;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function parseUrl(text: string, policy: OutcallPolicy): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch (error) {
    throw new OutcallError('fatal', `Failed to parse URL: ${textOf(error)}`);
  }
  const mayBePlain = url.protocol === 'http:' && policy === 'https-and-loopback';
  if (url.protocol === 'https:' || mayBePlain) return url;
  throw new OutcallError('fatal', 'Url need to specify https scheme');
}

/** Several headers of one name become one entry with several values, as Node wants it. */
function setHeaders(request: ClientRequest, headers: readonly HttpHeader[]): void {
  const grouped = new Map<string, string[]>();
  for (const { name, value } of headers) {
    const key = name.toLowerCase();
    grouped.set(key, [...(grouped.get(key) ?? []), value]);
  }
  if (!grouped.has('user-agent')) grouped.set('user-agent', [USER_AGENT]);
  for (const [name, values] of grouped)
    request.setHeader(name, values.length === 1 ? String(values[0]) : values);
}

function headersOf({ rawHeaders }: IncomingMessage): HttpHeader[] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, index) => ({
    name: String(rawHeaders[2 * index]).toLowerCase(),
    value: String(rawHeaders[2 * index + 1]),
  }));
}

async function bodyOf(response: IncomingMessage, limit: number, stated: number): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > limit) throw new OutcallError('fatal', `Http body exceeds size limit of ${stated} bytes.`);
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

async function readResponse(
  response: IncomingMessage,
  limit: number,
): Promise<IcTypes['http_request_result']> {
  const headers = headersOf(response);
  const forBody = limit - headersBytes(headers);
  if (forBody < 0) {
    throw new OutcallError('fatal', `Header size exceeds specified response size limit ${limit}`);
  }
  const body = await bodyOf(response, forBody, limit);
  const fault = messageFault(headers, body);
  if (fault !== undefined) throw new OutcallError('fatal', fault);
  return { status: BigInt(response.statusCode ?? 0), headers, body };
}

function send(url: URL, options: RequestOptions, outcall: Outcall): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
    request.once('response', resolve);
    request.once('error', reject);
    try {
      setHeaders(request, outcall.headers);
    } catch (error) {
      request.destroy();
      reject(new OutcallError('fatal', `Failed to parse header name or value: ${textOf(error)}`));
      return;
    }
    request.end(outcall.body.length > 0 ? outcall.body : undefined);
  });
}

/**
 * Makes the request once, follows no redirects and keeps no connection. Throws `OutcallError` with the texts of the
 * replica's adapter (dfinity/ic `rs/https_outcalls/adapter/src/rpc_server.rs`).
 */
export async function makeOutcall(
  outcall: Outcall,
  policy: OutcallPolicy,
  stop: AbortSignal,
): Promise<IcTypes['http_request_result']> {
  const url = parseUrl(outcall.url, policy);
  const timeout = AbortSignal.timeout(OUTCALL_TIMEOUT_MS);
  const signal = AbortSignal.any([timeout, stop]);
  try {
    const { address, family } = await outcallAddress(url.hostname, policy, url.protocol === 'https:');
    const response = await send(
      url,
      {
        method: outcall.method,
        agent: false,
        signal,
        maxHeaderSize: MAX_HEADER_BYTES,
        lookup: (_hostname, options, callback) => {
          if (options.all) callback(null, [{ address, family }]);
          else callback(null, address, family);
        },
      },
      outcall,
    );
    return await readResponse(response, outcall.maxResponseBytes);
  } catch (error) {
    if (error instanceof OutcallError) throw error;
    if (timeout.aborted) throw new OutcallError('transient', 'Canister http request timed out');
    const host = url.hostname.slice(0, SHOWN_HOST);
    throw new OutcallError('transient', `Connecting to ${host} failed: ${textOf(error)}`);
  }
}
