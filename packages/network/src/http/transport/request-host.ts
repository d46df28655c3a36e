/** The host a request was sent to, as its `Host` header names it. */
export interface RequestHost {
  /** In lower case, without the dot a full name may end with; an IPv6 address in its short form and brackets. */
  readonly name: string;
  /** `:8080`, or nothing where the header has no port. */
  readonly port: string;
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
