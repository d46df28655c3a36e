import { plainRequestId, REQUEST_ID } from './call-notes.ts';
import type { ServedHosts } from './served-hosts.ts';

/** What the fast lane has to know of the head of a request. */
export interface SimpleHead {
  readonly path: string;
  readonly contentLength: number;
  /** What its client calls it. */
  readonly requestId: string | undefined;
}

const REQUEST_LINE =
  /^POST (\/api\/v\d\/(?:canister|subnet)\/[a-z0-9-]{1,80}\/(?:call|query|read_state)) HTTP\/1\.1$/;
/** A header in its usual form: a name of letters and the like, one colon, visible text. */
const HEADER = /^([A-Za-z0-9_-]+): ?([\x20-\x7e]*)$/;
/** Headers that change how a request is read or its answer sent. */
const SPECIAL = new Set([
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'content-encoding',
  'proxy-connection',
]);
/** The size Node allows by default; whatever is longer gets its answer from the server. */
const MAX_HEAD_LENGTH = 16_000;

/**
 * Reads the head of a request (without the empty line at its end) that is a POST to the API with plain headers:
 * exactly one Host, which is served, one Content-Length and one Content-Type, which is CBOR. Returns undefined for all
 * others.
 */
export function parseSimpleHead(head: string, hosts: ServedHosts): SimpleHead | undefined {
  if (head.length > MAX_HEAD_LENGTH) return undefined;
  const [requestLine = '', ...lines] = head.split('\r\n');
  const path = REQUEST_LINE.exec(requestLine)?.[1];
  if (!path) return undefined;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    const key = name.toLowerCase();
    if (SPECIAL.has(key) || headers.has(key)) return undefined;
    headers.set(key, value.trim());
  }
  const length = headers.get('content-length') ?? '';
  if (!hosts.find(headers.get('host')) || !/^\d{1,9}$/.test(length)) return undefined;
  if (headers.get('content-type')?.toLowerCase() !== 'application/cbor') return undefined;
  if ((headers.get('connection') ?? 'keep-alive').toLowerCase() !== 'keep-alive') return undefined;
  return { path, contentLength: Number(length), requestId: plainRequestId(headers.get(REQUEST_ID)) };
}
