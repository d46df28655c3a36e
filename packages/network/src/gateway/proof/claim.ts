import { decodeLeb128, equalBytes, utf8 } from '@cannery/ic/certification/bytes';
import { sha256 } from '@cannery/ic/certification/signatures/hash';
import { type HashTree, lookup, lookupValue } from '@cannery/ic/certification/tree/hash-tree';
import type { Budget } from '@cannery/ic/budget';
import { type CertificateHeader, parseCertificateHeader } from './certificate-header.ts';
import { parseCertificateExpression } from './certificate-expression.ts';
import { checkExpressionPath } from './expression-path.ts';
import { headerValue } from './http-messages.ts';
import {
  isCertified,
  requestHash,
  type RequestToHash,
  responseHash,
  type ResponseToHash,
} from './message-hashes.ts';
import { decodedPath } from './request-path.ts';
import { type Encoding, isEncoding } from './unpacked-hash.ts';
import { VerificationError } from './verification-error.ts';

/** A request, and the canister it was made to. */
export interface Asked extends RequestToHash {
  readonly canisterId: Uint8Array;
}

/**
 * What a canister says to prove that it certified a response, worked out from the response alone. It holds if the network
 * issued the certificate; see `checkClaim`.
 */
export interface Claim {
  readonly signature: Uint8Array;
  readonly stateRootHash: Uint8Array;
  /** Time of the certificate, in nanoseconds. */
  readonly timeNanos: bigint | undefined;
  readonly version: number;
  /** Why the response does not follow from the certificate, or undefined. */
  readonly problem: string | undefined;
  /** Nothing but the path of the request went into it, so that it holds for every other request of that path, too. */
  readonly isOfPath: boolean;
  /** The response is certified, with its cookies, and no part of the request: whoever asks the same may get it. */
  readonly isForAll: boolean;
  /** Version 1 only: it holds if the body, unpacked, has this hash. */
  readonly unpacked: { readonly encoding: Encoding; readonly hash: Uint8Array } | undefined;
}

/**
 * The claim of a response to a request. All of it is read within the budget; every step is linear in what it reads.
 * Throws `VerificationError` where there is no certificate to check, and `BudgetError`.
 */
export function claimOf(asked: Asked, response: ResponseToHash, budget: Budget): Claim {
  const value = headerValue(response.headers, 'ic-certificate');
  if (value === undefined) throw new VerificationError('the canister does not certify it');
  const header = parseCertificateHeader(value, budget);
  const time = lookupValue(header.stateTree, [utf8('time')]);
  const claim = {
    signature: header.signature,
    stateRootHash: header.stateRootHash,
    timeNanos: time && time.length <= MAX_TIME_BYTES ? decodeLeb128(time) : undefined,
    version: header.version,
  };
  try {
    return { ...claim, problem: undefined, ...proofOf(asked, response, header) };
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    return { ...claim, problem: error.message, isOfPath: false, isForAll: false, unpacked: undefined };
  }
}

/** A time takes nine bytes until the year 2262. */
const MAX_TIME_BYTES = 10;

type Proof = Pick<Claim, 'isOfPath' | 'isForAll' | 'unpacked'>;

function proofOf(asked: Asked, response: ResponseToHash, header: CertificateHeader): Proof {
  const path = [utf8('canister'), asked.canisterId, utf8('certified_data')];
  const certified = lookupValue(header.stateTree, path);
  if (!certified || !equalBytes(certified, header.treeRootHash)) {
    throw new VerificationError('the tree it came with is not the certified data of the canister');
  }
  if (header.version === 2) return proofOfVersion2(header, asked, response);
  if (header.version !== 1) throw new VerificationError(`certificate version ${header.version} is unknown`);
  return proofOfVersion1(header.tree, asked, response);
}

function proofOfVersion2(
  { tree, expressionPath }: CertificateHeader,
  asked: Asked,
  response: ResponseToHash,
): Proof {
  if (!expressionPath) throw new VerificationError('the IC-Certificate header has no expr_path');
  const text = headerValue(response.headers, 'ic-certificateexpression');
  if (text === undefined) throw new VerificationError('it has no IC-CertificateExpression header');
  checkExpressionPath(expressionPath, decodedPath(asked.url), tree);
  const expression = parseCertificateExpression(text);
  const certifiedBy = lookup(tree, [...expressionPath.map(utf8), sha256(utf8(text))]);
  if (certifiedBy.status !== 'found')
    throw new VerificationError('its certificate expression is not certified');
  if (expression.kind === 'nothing') return { isOfPath: true, isForAll: false, unpacked: undefined };
  const forRequest = expression.request ? requestHash(asked, expression.request) : new Uint8Array();
  const entry = lookup(certifiedBy.tree, [forRequest, responseHash(response, expression)]);
  if (entry.status !== 'found' || entry.tree.kind !== 'leaf' || entry.tree.value.length > 0)
    throw notCertified();
  const isOfPath = expression.request === undefined;
  const hasCookies = headerValue(response.headers, 'set-cookie') !== undefined;
  const isForAll = isOfPath && (!hasCookies || isCertified('set-cookie', expression));
  return { isOfPath, isForAll, unpacked: undefined };
}

function proofOfVersion1(tree: HashTree, asked: Asked, response: ResponseToHash): Proof {
  const assets = utf8('http_assets');
  const expected =
    lookupValue(tree, [assets, utf8(decodedPath(asked.url))]) ??
    lookupValue(tree, [assets, utf8('/index.html')]);
  if (!expected) throw new VerificationError('its path is not certified');
  // A canister that offers version 2 may not be answered for with version 1, and it may come to offer it.
  const proof = { isOfPath: false, isForAll: false };
  if (equalBytes(response.bodyHash, expected)) return { ...proof, unpacked: undefined };
  const encoding = headerValue(response.headers, 'content-encoding');
  if (!isEncoding(encoding)) throw notCertified();
  return { ...proof, unpacked: { encoding, hash: expected } };
}

/** The claim of version 1 when its body is unpacked: `unpackedHash` is the hash of that. */
export function settled({ unpacked, ...claim }: Claim, unpackedHash: Uint8Array): Claim {
  const isGood = unpacked === undefined || equalBytes(unpacked.hash, unpackedHash);
  return { ...claim, unpacked: undefined, problem: claim.problem ?? (isGood ? undefined : NOT_CERTIFIED) };
}

const NOT_CERTIFIED = 'its content is not what the canister certified';

function notCertified(): VerificationError {
  return new VerificationError(NOT_CERTIFIED);
}
