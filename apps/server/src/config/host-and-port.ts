/** Port of https. */
const HTTPS = 443;

/** The name and port of a text such as 'example.org', 'example.org:8443' or '[fd00::1]:443'; null when it is none. */
export function hostOf(text: string): { name: string; port: number } | null {
  // Nothing but a name or address and a port: a URL would also allow user names, paths and more.
  if (!/^(?:[a-z\d.-]+|\[[a-f\d:.]+\])(?::\d{1,5})?$/i.test(text)) return null;
  const address = `https://${text}`;
  if (!URL.canParse(address)) return null;
  const { hostname, port } = new URL(address);
  // Nothing answers at port 0.
  return port === '0' ? null : { name: hostname, port: port === '' ? HTTPS : Number(port) };
}

const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** How this computer reaches what listens at an address and a port: one that listens at a single address answers at no other. */
export function localUrl(host: string, port: number): string {
  if (EVERY_ADDRESS.has(host)) return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
