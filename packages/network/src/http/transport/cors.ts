import type { ServerResponse } from 'node:http';

/** What every answer says: pages of all origins may read it, since the network has no cookies and trusts signatures only. */
export const ANSWER_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Accept-Ranges,Content-Length,Content-Range,ETag,X-Ic-Canister-Id',
};

const HEADERS: Readonly<Record<string, string>> = {
  ...ANSWER_HEADERS,
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers':
    'DNT,User-Agent,X-Requested-With,If-None-Match,If-Modified-Since,Cache-Control,Content-Type,Range,If-Range,Cookie,X-Ic-Canister-Id,Authorization',
  // Browsers keep the answer to a preflight this many seconds.
  'access-control-max-age': '600',
};

/** Adds the CORS headers that the response does not already have. */
export function allowAllOrigins(response: ServerResponse): void {
  for (const [name, value] of Object.entries(HEADERS)) {
    if (!response.hasHeader(name)) response.setHeader(name, value);
  }
}
