import type { Header } from '../proof/http-messages.ts';

/** Headers that concern one connection only (RFC 9110, section 7.6.1, and those in use beside it). */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** What a browser sends by itself because of others on the same host: cookies ignore even the port. */
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'cookie2']);

/** Names of the headers of a message that end with the connection it came on, in lower case. */
export function connectionHeaders(headers: readonly Header[]): ReadonlySet<string> {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim());
  return CONNECTION_HEADERS.union(new Set(named));
}

/**
 * The headers a canister gets, names in lower case. On a host it shares with others it gets no credentials: they were
 * given to somebody else of that host, which may be the console.
 */
export function headersForCanister(raw: readonly string[], isOwnHost: boolean): Header[] {
  const headers: Header[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    headers.push([raw[index]?.toLowerCase() ?? '', raw[index + 1] ?? '']);
  }
  const dropped = connectionHeaders(headers);
  return headers.filter(([name]) => !dropped.has(name) && (isOwnHost || !CREDENTIALS.has(name)));
}
