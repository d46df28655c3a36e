import { sha256 } from '@cannery/ic/certification/signatures/hash';
import { hashOfPairs } from '@cannery/ic/certification/signatures/representation-hash';
import type { CertificateExpression } from './certificate-expression.ts';
import type { Header } from './http-messages.ts';

type ResponseExpression = Extract<CertificateExpression, { readonly kind: 'response' }>;

/** What of a request can be certified. */
export interface RequestToHash {
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly url: string;
  readonly headers: readonly Header[];
  readonly bodyHash: Uint8Array;
}

/** What of a response can be certified. */
export interface ResponseToHash {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly bodyHash: Uint8Array;
}

/** The hash of the certified parts of a request (gateway protocol, "Request Hash Calculation"). */
export function requestHash(
  { method, url, headers, bodyHash }: RequestToHash,
  certified: NonNullable<ResponseExpression['request']>,
): Uint8Array {
  const pairs: [string, string][] = [];
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (certified.headers.has(lower)) pairs.push([lower, value]);
  }
  pairs.push([':ic-cert-method', method]);
  const query = certifiedQuery(url, certified.queryParameters);
  if (query !== undefined) pairs.push([':ic-cert-query', query]);
  return sha256(hashOfPairs(pairs), bodyHash);
}

function certifiedQuery(url: string, names: ReadonlySet<string>): string | undefined {
  const start = url.indexOf('?');
  if (start < 0) return undefined;
  const kept = url
    .slice(start + 1)
    .split('&')
    .filter((pair) => names.has(pair.split('=', 1)[0]?.toLowerCase() ?? ''));
  return kept.length > 0 ? kept.join('&') : undefined;
}

/** The hash of the certified parts of a response (gateway protocol, "Response Hash Calculation"). */
export function responseHash(
  { status, headers, bodyHash }: ResponseToHash,
  expression: ResponseExpression,
): Uint8Array {
  const pairs: [string, string | number][] = [];
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (isCertified(lower, expression)) pairs.push([lower, value]);
  }
  pairs.push([':ic-cert-status', status]);
  return sha256(hashOfPairs(pairs), bodyHash);
}

/** Whether an expression certifies a header of the response; `name` is in lower case. */
export function isCertified(name: string, expression: ResponseExpression): boolean {
  if (name === 'ic-certificate') return false;
  if (name === 'ic-certificateexpression') return true;
  const listed = expression.responseHeaders.has(name);
  return expression.responseHeadersAre === 'certified' ? listed : !listed;
}
