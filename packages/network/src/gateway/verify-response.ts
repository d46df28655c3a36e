import { gunzipSync, inflateSync } from 'node:zlib';
import { decodeLeb128, equalBytes, utf8 } from '../certification/bytes.ts';
import { sha256 } from '../certification/hash.ts';
import { type HashTree, lookup, lookupValue } from '../certification/hash-tree.ts';
import type { NetworkService } from '../http/service.ts';
import { type CertificateHeader, parseCertificateHeader } from './certificate-header.ts';
import { parseCertificateExpression } from './certificate-expression.ts';
import { checkExpressionPath } from './expression-path.ts';
import type { CanisterHttpRequest, Header } from './http-messages.ts';
import { requestHash, responseHash } from './message-hashes.ts';
import { VerificationError } from './verification-error.ts';

/** What certificates are checked against. */
export type Verifier = Pick<NetworkService, 'certifier' | 'state' | 'now'>;

/** A whole response, with all streamed parts of its body. */
export interface CompleteResponse {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
}

/** Certificates older than this are refused, as gateways of the Internet Computer do. */
const MAX_AGE_NANOS = 300_000_000_000n;
/** Decoded bodies longer than this are not compared; it keeps a small hostile file from filling the memory. */
const MAX_DECODED_BYTES = 256 * 1024 * 1024;

/**
 * Throws `VerificationError` unless the canister certified this response to this request: version 2 of response
 * verification, or version 1 for canisters that do not offer version 2.
 */
export function verifyResponse(
  service: Verifier,
  canisterId: Uint8Array,
  request: CanisterHttpRequest,
  response: CompleteResponse,
): void {
  const value = headerValue(response.headers, 'ic-certificate');
  if (value === undefined) throw new VerificationError('the canister does not certify it');
  const header = parseCertificateHeader(value);
  checkCertificate(service, canisterId, header);
  if (header.version === 2) return verifyVersion2(header, request, response);
  if (header.version !== 1) throw new VerificationError(`certificate version ${header.version} is unknown`);
  checkDowngrade(service, canisterId);
  verifyVersion1(header.tree, request, response);
}

/** The gateway runs beside the signer, so it knows the signatures: no need to compute them anew. */
function checkCertificate(service: Verifier, canisterId: Uint8Array, header: CertificateHeader): void {
  const { stateTree, stateRootHash, signature, treeRootHash } = header;
  if (!service.certifier.isIssued(signature, stateRootHash)) {
    throw new VerificationError('its certificate was not issued by this network in the last minutes');
  }
  const time = lookupValue(stateTree, [utf8('time')]);
  if (!time || service.now() - decodeLeb128(time) > MAX_AGE_NANOS) {
    throw new VerificationError('its certificate is too old');
  }
  const certified = lookupValue(stateTree, [utf8('canister'), canisterId, utf8('certified_data')]);
  if (!certified || !equalBytes(certified, treeRootHash)) {
    throw new VerificationError('the tree it came with is not the certified data of the canister');
  }
}

function verifyVersion2(
  { tree, expressionPath }: CertificateHeader,
  request: CanisterHttpRequest,
  response: CompleteResponse,
): void {
  if (!expressionPath) throw new VerificationError('the IC-Certificate header has no expr_path');
  const text = headerValue(response.headers, 'ic-certificateexpression');
  if (text === undefined) throw new VerificationError('it has no IC-CertificateExpression header');
  checkExpressionPath(expressionPath, decodedPath(request.url), tree);
  const expression = parseCertificateExpression(text);
  const certifiedBy = lookup(tree, [...expressionPath.map(utf8), sha256(utf8(text))]);
  if (certifiedBy.status !== 'found')
    throw new VerificationError('its certificate expression is not certified');
  if (expression.kind === 'nothing') return;
  const forRequest = expression.request ? requestHash(request, expression.request) : new Uint8Array();
  const entry = lookup(certifiedBy.tree, [forRequest, responseHash(response, expression)]);
  if (entry.status !== 'found' || entry.tree.kind !== 'leaf' || entry.tree.value.length > 0) {
    throw new VerificationError('its content is not what the canister certified');
  }
}

/** A canister that offers version 2 may not be answered for with version 1. */
function checkDowngrade({ state }: Verifier, canisterId: Uint8Array): void {
  const supported = state.metadata(canisterId, 'supported_certificate_versions');
  if (!supported) return;
  const versions = Buffer.from(supported.content).toString().split(',');
  if (supported.visibility === 'private' || versions.some((version) => version.trim() === '2')) {
    throw new VerificationError('it is certified with version 1 although the canister supports version 2');
  }
}

function verifyVersion1(tree: HashTree, request: CanisterHttpRequest, response: CompleteResponse): void {
  const assets = utf8('http_assets');
  const expected =
    lookupValue(tree, [assets, utf8(decodedPath(request.url))]) ??
    lookupValue(tree, [assets, utf8('/index.html')]);
  if (!expected) throw new VerificationError('its path is not certified');
  const encoding = headerValue(response.headers, 'content-encoding');
  const bodies = [response.body, decodeBody(response.body, encoding)];
  if (!bodies.some((body) => equalBytes(sha256(body), expected))) {
    throw new VerificationError('its content is not what the canister certified');
  }
}

function decodeBody(body: Uint8Array, encoding: string | undefined): Uint8Array {
  const options = { maxOutputLength: MAX_DECODED_BYTES };
  try {
    if (encoding === 'gzip') return gunzipSync(body, options);
    if (encoding === 'deflate') return inflateSync(body, options);
  } catch {
    throw new VerificationError(`its body is not valid ${encoding}`);
  }
  return body;
}

function decodedPath(url: string): string {
  const path = url.split('?', 1)[0] ?? '/';
  try {
    return decodeURIComponent(path);
  } catch {
    throw new VerificationError('its address is not properly percent-encoded');
  }
}

function headerValue(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1];
}
