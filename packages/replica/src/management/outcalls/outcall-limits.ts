import { type ReplicaError, replicaErrors } from '@cannery/ic/errors';
import type { HttpHeader } from '../../state/outcall.ts';

/** Limits of `http_request` (interface specification; `rs/types/types/src/canister_http.rs` of dfinity/ic). */
const MAX_OUTCALL_BYTES = 2_000_000;
const MAX_URL_BYTES = 8_192;
const MAX_HEADERS = 64;
const MAX_HEADER_NAME_BYTES = 8_192;
const MAX_HEADERS_BYTES = 48 * 1024;
/** `max_canister_http_requests_in_flight` of the replica. */
export const MAX_OUTCALLS_IN_FLIGHT = 3_000;

export const headersBytes = (headers: readonly HttpHeader[]): number =>
  headers.reduce((sum, { name, value }) => sum + Buffer.byteLength(name) + Buffer.byteLength(value), 0);

export function checkUrl(url: string): void {
  const bytes = Buffer.byteLength(url);
  if (bytes > MAX_URL_BYTES) throw replicaErrors.refused(`url size ${bytes} exceeds ${MAX_URL_BYTES}`);
}

/** `max_response_bytes` of a request, or the most there can be; throws `refused` when it is more. */
export function responseLimit([wanted = BigInt(MAX_OUTCALL_BYTES)]: [] | [bigint]): number {
  if (wanted <= BigInt(MAX_OUTCALL_BYTES)) return Number(wanted);
  throw replicaErrors.refused(
    `max_response_bytes expected to be in the range [0..${MAX_OUTCALL_BYTES}], got ${wanted}`,
  );
}

/** What is wrong with the headers and the body of a request or a response, if anything. */
export function messageFault(headers: readonly HttpHeader[], body: Uint8Array): string | undefined {
  if (headers.length > MAX_HEADERS) {
    return `number of all http headers ${headers.length} exceeds ${MAX_HEADERS}`;
  }
  const longest = (part: 'name' | 'value'): number =>
    headers.reduce((most, header) => Math.max(most, Buffer.byteLength(header[part])), 0);
  for (const part of ['name', 'value'] as const) {
    if (longest(part) > MAX_HEADER_NAME_BYTES) {
      return `number of bytes to represent some http header ${part} ${longest(part)} exceeds ${MAX_HEADER_NAME_BYTES}`;
    }
  }
  const bytes = headersBytes(headers);
  if (bytes > MAX_HEADERS_BYTES) {
    return `total number of bytes to represent all http header names and values ${bytes} exceeds ${MAX_HEADERS_BYTES}`;
  }
  const total = bytes + body.length;
  return total > MAX_OUTCALL_BYTES
    ? `total number of bytes to represent all http header names and values and http body ${total} exceeds ${MAX_OUTCALL_BYTES}`
    : undefined;
}

/** Throws `refused` when a request breaks the limits. */
export function checkMessage(headers: readonly HttpHeader[], body: Uint8Array): void {
  const fault = messageFault(headers, body);
  if (fault !== undefined) throw replicaErrors.refused(fault);
}

export const tooManyOutcalls = (): ReplicaError =>
  replicaErrors.refused(`max number (${MAX_OUTCALLS_IN_FLIGHT}) of http requests in-flight reached.`);
