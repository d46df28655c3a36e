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
function connectionHeaders(headers: readonly Header[]): ReadonlySet<string> {
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

/** Headers that reach beyond the canister from wherever they come, or that the gateway sets. */
const NEVER: ReadonlySet<string> = new Set([
  // Moves the origin to another server or port.
  'alt-svc',
  // Browsers clear the cookies of the whole domain, that of other sites and of the console included.
  'clear-site-data',
  'content-length',
  // Orders to a proxy in front: it would send a file or an address of the machine in place of the page.
  'x-accel-redirect',
  'x-lighttpd-send-file',
  'x-reproxy-file',
  'x-reproxy-url',
  'x-sendfile',
]);

/**
 * Headers that say something of the answer itself, by name or by prefix. On a host that is shared, every other could bind
 * the host or the origin: cookies, HSTS, network reports, client hints, the scope of service workers, and what browsers
 * will yet invent.
 */
const OF_THE_ANSWER: ReadonlySet<string> = new Set([
  'accept-ranges',
  'age',
  'allow',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-location',
  'content-range',
  'content-security-policy',
  'content-security-policy-report-only',
  'content-type',
  'cross-origin-embedder-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'date',
  'digest',
  'etag',
  'expires',
  'last-modified',
  'link',
  'location',
  'permissions-policy',
  'pragma',
  'referrer-policy',
  'repr-digest',
  'retry-after',
  'server',
  'server-timing',
  'vary',
]);
const OF_THE_ANSWER_PREFIX = /^(x-|ic-|access-control-(?!allow-credentials$))/;

/** A page that a browser opens on a shared host all the same has no origin there: no cookies, no storage, no workers. */
const WITHOUT_ORIGIN: Header = ['content-security-policy', 'sandbox allow-scripts'];

/**
 * The headers of a canister's answer that a client gets. `ownHost` is the name of the host where it is the canister's
 * alone; its cookies are for that host then, and nowhere else.
 */
export function headersForClient(headers: readonly Header[], ownHost: string | undefined): Header[] {
  const dropped = connectionHeaders(headers).union(NEVER);
  const kept = headers.filter(([name, value]) => {
    const key = name.toLowerCase();
    if (dropped.has(key)) return false;
    if (ownHost === undefined) return OF_THE_ANSWER.has(key) || OF_THE_ANSWER_PREFIX.test(key);
    return key !== 'set-cookie' || isCookieOf(ownHost, value);
  });
  return ownHost === undefined ? [...kept, WITHOUT_ORIGIN] : kept;
}

/** Whether a cookie stays on `host`; a name with one label less would give it to other canisters (RFC 6265, section 5.2.3). */
function isCookieOf(host: string, cookie: string): boolean {
  return cookie
    .split(';')
    .slice(1)
    .map((attribute) => attribute.split('='))
    .filter(([name]) => name?.trim().toLowerCase() === 'domain')
    .every(([, ...value]) => value.join('=').trim().toLowerCase().replace(/^\./, '') === host);
}
