import type { IncomingMessage } from 'node:http';
import { badRequest, RequestError } from './request-error.ts';

/** The host a request was sent to, as its `Host` header names it. */
export interface RequestHost {
  /** In lower case, without the dot a full name may end with; an IPv6 address in its short form and brackets. */
  readonly name: string;
  /** `:8080`, or nothing where the header has no port. */
  readonly port: string;
}

/** A host that a network serves. */
export interface ServedHost extends RequestHost {
  /**
   * What stands before the domain below which sites are served: `['shop']` of `shop.localhost`. Whoever serves a page at one of these
   * hosts shares cookies and passkeys with all below it, so that not every depth is a site.
   */
  readonly labels: readonly string[];
}

/** Labels of letters, digits, hyphens and underscores, one dot between them; the same for IPv4 addresses. */
const NAME = /^([a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){0,30})\.?(?::(\d{1,5}))?$/;
const IPV6 = /^(\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?$/;
const HIGHEST_PORT = 65_535;

/** Reads a `Host` header; undefined for what names no host (RFC 9110, section 7.2), such as one with a user. */
export function parseHost(header: string): RequestHost | undefined {
  const text = header.toLowerCase();
  const [, written, port] = NAME.exec(text) ?? IPV6.exec(text) ?? [];
  if (written === undefined || Number(port ?? 0) > HIGHEST_PORT) return undefined;
  const name = written.startsWith('[') ? URL.parse(`http://${written}`)?.hostname : written;
  return name === undefined ? undefined : { name, port: port === undefined ? '' : `:${port}` };
}

/** Where a network listens unless told otherwise. */
export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_PORT = 4943;

const LOOPBACK_ADDRESS = /^127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;
const EVERY_ADDRESS = new Set(['0.0.0.0', '[::]']);

/** Whether a name leads to this computer wherever it is looked up: loopback addresses, and `localhost` with all below it. */
export function isLoopbackName(name: string): boolean {
  return (
    name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || LOOPBACK_ADDRESS.test(name)
  );
}

/**
 * The host names a server answers to. A page of any name can have that name point to this computer (DNS rebinding) and is
 * then of one origin with what answers, so that only names that are known are served.
 */
export class ServedHosts {
  readonly #names = new Set<string>();
  /** Domains of which all below them is served, with a dot at the front; the longest first. */
  readonly #below: string[] = ['.localhost'];
  #listensEverywhere = false;

  /**
   * `names` besides those of loopback: hosts, also with a port, or `*.example.com` for all below one. The address for
   * every interface (`0.0.0.0`, `::`) is no name. Throws `RangeError`.
   */
  constructor(names: Iterable<string>) {
    for (const each of names) {
      const isBelow = each.startsWith('*.');
      const host = parseHost(bracketed(isBelow ? each.slice(2) : each));
      if (!host) throw new RangeError(`"${each}" is not a host name; write example.com or *.example.com`);
      if (isBelow) this.#below.push(`.${host.name}`);
      else if (EVERY_ADDRESS.has(host.name)) this.#listensEverywhere = true;
      else this.#names.add(host.name);
    }
    this.#below.sort((a, b) => b.length - a.length);
  }

  /** Whether only this computer can be meant. */
  get areLoopback(): boolean {
    return !this.#listensEverywhere && [...this.#names, ...this.#below].every(isLoopbackName);
  }

  /** The host a request names, if it is served. */
  find(header: string | undefined): ServedHost | undefined {
    const host = header === undefined ? undefined : parseHost(header);
    const labels = host && this.#labelsOf(host.name);
    return labels && { ...host, labels };
  }

  /** The labels of a name that is served. One that is named itself is directly below its domain. */
  #labelsOf(name: string): readonly string[] | undefined {
    const domain = this.#names.has(name) ? undefined : this.#below.find((each) => name.endsWith(each));
    if (domain) return name.slice(0, -domain.length).split('.');
    return this.#names.has(name) || isLoopbackName(name) ? name.split('.', 1) : undefined;
  }
}

/** An IPv6 address as it is in a URL; settings and sockets write it without brackets. */
function bracketed(host: string): string {
  return /^[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*$/i.test(host) ? `[${host}]` : host;
}

const MISDIRECTED = 421;
const MAX_SHOWN = 100;

/**
 * The host a request was sent to. Throws `RequestError`: 400 where it names none, or two; 421 where this network does not
 * serve it.
 */
export function checkHost({ rawHeaders, url = '/' }: IncomingMessage, hosts: ServedHosts): ServedHost {
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
