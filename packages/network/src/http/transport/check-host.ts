import type { IncomingMessage } from 'node:http';
import { badRequest, RequestError } from './request-error.ts';
import type { RequestHost, ServedHosts } from './served-hosts.ts';

const MISDIRECTED = 421;
const MAX_SHOWN = 100;

/**
 * The host a request was sent to. Throws `RequestError`: 400 where it names none, or two; 421 where this network does not
 * serve it.
 */
export function checkHost({ rawHeaders, url = '/' }: IncomingMessage, hosts: ServedHosts): RequestHost {
  const named = rawHeaders.filter(
    (_text, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host',
  );
  const [header] = named;
  if (header === undefined || named.length > 1) {
    throw badRequest('A request must name the host it is for, once, in the header Host.');
  }
  const host = hosts.find(header);
  if (!host) throw misdirected(header);
  if (!url.startsWith('/')) checkTarget(url, header, hosts);
  return host;
}

/** A whole address in the request line, as proxies get it, must say the same as the header. */
function checkTarget(target: string, header: string, hosts: ServedHosts): void {
  const url = URL.parse(target);
  const isPlain = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!isPlain || url.username || url.password) throw badRequest('The address is malformed.');
  if (hosts.find(url.host)?.name !== hosts.find(header)?.name) {
    throw badRequest('The address and the header Host name different hosts.');
  }
}

function misdirected(header: string): RequestError {
  const shown = JSON.stringify(header.slice(0, MAX_SHOWN));
  return new RequestError(
    MISDIRECTED,
    `This network does not serve the host ${shown}. If the name is yours, add it to NETWORK_HOSTS (cannery-network: --allow-host).`,
  );
}
