import { sha256 } from '../certification/hash.ts';
import { hashOfPairs } from '../certification/representation-hash.ts';
import type { CertificateExpression } from './certificate-expression.ts';
import type { CanisterHttpRequest, Header } from './http-messages.ts';

type ResponseExpression = Extract<CertificateExpression, { readonly kind: 'response' }>;

/** The hash of the certified parts of a request (gateway protocol, "Request Hash Calculation"). */
export function requestHash(
  { method, url, headers, body }: CanisterHttpRequest,
  certified: NonNullable<ResponseExpression['request']>,
): Uint8Array {
  const pairs: [string, string][] = [];
  for (const [name, value] of headers) {
    if (certified.headers.includes(name.toLowerCase())) pairs.push([name.toLowerCase(), value]);
  }
  pairs.push([':ic-cert-method', method]);
  const query = certifiedQuery(url, certified.queryParameters);
  if (query !== undefined) pairs.push([':ic-cert-query', query]);
  return sha256(hashOfPairs(pairs), sha256(body));
}

function certifiedQuery(url: string, names: readonly string[]): string | undefined {
  const start = url.indexOf('?');
  if (start < 0) return undefined;
  const wanted = names.map((name) => name.toLowerCase());
  const kept = url
    .slice(start + 1)
    .split('&')
    .filter((pair) => wanted.includes(pair.split('=', 1)[0]?.toLowerCase() ?? ''));
  return kept.length > 0 ? kept.join('&') : undefined;
}

/** The hash of the certified parts of a response (gateway protocol, "Response Hash Calculation"). */
export function responseHash(
  {
    status,
    headers,
    body,
  }: { readonly status: number; readonly headers: readonly Header[]; readonly body: Uint8Array },
  expression: ResponseExpression,
): Uint8Array {
  const pairs: [string, string | number][] = [];
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (isCertified(lower, expression)) pairs.push([lower, value]);
  }
  pairs.push([':ic-cert-status', status]);
  return sha256(hashOfPairs(pairs), sha256(body));
}

function isCertified(name: string, expression: ResponseExpression): boolean {
  if (name === 'ic-certificate') return false;
  if (name === 'ic-certificateexpression') return true;
  const listed = expression.responseHeaders.includes(name);
  return expression.responseHeadersAre === 'certified' ? listed : !listed;
}
