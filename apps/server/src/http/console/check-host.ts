import { httpNotServed } from '../../metrics/instruments.ts';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { BARE_HEADERS } from './security-headers.ts';

/** Whether a `Host` header names a host of the console. */
export type ServesHost = (header: string | undefined) => boolean;

const MISDIRECTED = 421;

/**
 * Lets only requests to the console's own names through to `handler`, before anything else sees them: a page of any name
 * can have that name point to this computer (DNS rebinding), and what answers is then of its origin.
 * @param refused is told of the others
 */
export function onlyOwnHosts(
  serves: ServesHost,
  handler: RequestListener,
  refused: (request: IncomingMessage) => void,
): RequestListener {
  return (request, response) => {
    if (serves(hostOf(request))) handler(request, response);
    else {
      refused(request);
      refuse(response);
    }
  };
}

/** The one host a request names; nothing where it names two. */
function hostOf({ headersDistinct }: IncomingMessage): string | undefined {
  const named = headersDistinct.host ?? [];
  return named.length === 1 ? named[0] : undefined;
}

function refuse(response: ServerResponse): void {
  httpNotServed.add({ reason: 'foreign' });
  response.writeHead(MISDIRECTED, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    ...BARE_HEADERS,
    connection: 'close',
  });
  response.end(
    'This console does not answer to that host name. Open it at its own address; if the name is right, set PUBLIC_URL.\n',
  );
}
