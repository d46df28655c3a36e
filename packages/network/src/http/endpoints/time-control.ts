import type { IncomingMessage, ServerResponse } from 'node:http';
import { LATEST_TIME_NANOS } from '@cannery/replica/clock';
import { readBody } from '../transport/body.ts';
import { badRequest, RequestError } from '../transport/request-error.ts';
import { type HttpReply, jsonReply, type NetworkService, textReply } from './service.ts';

export const TIME_PATH = '/_/time';

const NANOS_PER_SECOND = 1_000_000_000n;

/**
 * Reads or sets the network's time, for test programs in other processes. `GET` answers `{ "timeNanos": "…" }`; `POST`
 * takes `{ "timeNanos": "…" }` or `{ "advanceSeconds": … }` and answers as `GET` does, when the time has come. Web pages
 * are refused: those of canisters run under the same address.
 */
export async function controlTime(
  service: NetworkService,
  control: NonNullable<NetworkService['timeControl']>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<HttpReply> {
  if (request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined) {
    return textReply(403, 'Web pages may not set the time.');
  }
  try {
    if (request.method === 'POST') await travel(control, await readBody(request, response), service.now());
    else if (request.method !== 'GET') return textReply(405, 'Use GET or POST.');
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return textReply(error.status, error.message);
  }
  return jsonReply({ timeNanos: service.now().toString() });
}

/** Throws `RequestError` 400 when the body asks for nothing sensible. */
async function travel(
  control: NonNullable<NetworkService['timeControl']>,
  body: Uint8Array,
  now: bigint,
): Promise<void> {
  const { timeNanos, advanceSeconds } = fieldsOf(body);
  if (typeof timeNanos === 'string' && /^\d{1,19}$/.test(timeNanos)) {
    await control.setTime(reachable(BigInt(timeNanos)));
  } else if (Number.isSafeInteger(advanceSeconds) && Number(advanceSeconds) >= 0) {
    const nanos = BigInt(Number(advanceSeconds)) * NANOS_PER_SECOND;
    reachable(now + nanos);
    await control.advanceTime(nanos);
  } else {
    throw badRequest('Send {"timeNanos": "<nanoseconds since 1970>"} or {"advanceSeconds": <number>}.');
  }
}

function reachable(nanos: bigint): bigint {
  if (nanos > LATEST_TIME_NANOS) throw badRequest(`Time cannot be set beyond ${LATEST_TIME_NANOS}.`);
  return nanos;
}

function fieldsOf(body: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString());
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
