import { readArgument, readRequest } from '../content/arguments';
import { Asset, Encoding, Header } from '../content/asset';
import * as assets from '../content/assets';
import { sameBytes, utf8 } from '../base/bytes';
import { CandidWriter } from '../candid/candid-schema';
import {
  certificateHeader, legacyCertificateHeader, legacyEncoding, NOT_FOUND, NOT_MODIFIED, OK, pieceHeaders, plainBody,
  plainHeaders,
} from '../content/certification';
import { etagOf, expressionOf, headersOf, isPartial, partExpressionOf, withExpression, withoutBody } from '../content/headers';
import { Route, routeOf, siteFallback, statusOf } from '../content/routes';
import { HttpRequest } from './http-request';
import { assetResponse, bodyResponse, partialResponse, pieceResponse } from './http-response';
import { Accepted, choose } from './negotiation';
import { dataCertificate, reply, trap } from '../base/system';
import { hasQuery, pathOf } from '../base/url';

const BAD_REQUEST: u16 = 400;
const PERMANENT_REDIRECT: u16 = 308;

export function httpRequestMethod(): void {
  reply(answer(HttpRequest.read(readArgument())));
}

function answer(request: HttpRequest): CandidWriter {
  const path = pathOf(request.url);
  if (path === null) {
    return bodyResponse(BAD_REQUEST, plainHeaders([]), utf8('the path is not valid UTF-8 once percent-decoded'));
  }
  if (request.certificateVersion < 2) return legacyAnswer(request, path);
  const route = routeOf(path, hasQuery(request.url));
  const asset = route.asset;
  if (asset !== null && !asset.rawAccess && request.rawHost.length > 0) return toCertifiedHost(request);
  const certificate = certificateHeader(dataCertificate(), path, route.folder);
  if (route.location.length > 0) return redirect(route, certificate);
  if (asset === null) return plainNotFound(route.headers, certificate);
  const status = route.status;
  const encoding = choose(asset, new Accepted(request.header('accept-encoding')))!;
  const headers = headersOf(asset, encoding);
  const known = status === OK && request.has(etagOf(encoding));
  if (status === OK && !known && isPartial(encoding)) {
    const piece = request.piece(encoding.content, etagOf(encoding));
    if (piece >= 0) return partialAnswer(asset, encoding, piece, certificate);
  }
  withExpression(headers, expressionOf(headers)).push(certificate);
  return known ? bodyResponse(NOT_MODIFIED, headers, []) : assetResponse(status, headers, asset, encoding);
}

function redirect(route: Route, certificate: Header): CandidWriter {
  const headers = withoutBody(new Header('location', route.location), route.headers);
  withExpression(headers, expressionOf(headers)).push(certificate);
  return bodyResponse(route.status, headers, []);
}

/** One piece of a large body, for a client that asks for it. */
function partialAnswer(asset: Asset, encoding: Encoding, index: u64, certificate: Header): CandidWriter {
  const headers = pieceHeaders(asset, encoding, index);
  withExpression(headers, partExpressionOf(headers)).push(certificate);
  return partialResponse(headers, encoding, index);
}

function plainNotFound(others: Array<Header>, certificate: Header): CandidWriter {
  const headers = plainHeaders(others);
  withExpression(headers, expressionOf(headers)).push(certificate);
  return bodyResponse(NOT_FOUND, headers, plainBody());
}

/** Version 1 certifies one encoding of a body and neither status nor headers: a missing path is always plain, and nothing redirected. */
function legacyAnswer(request: HttpRequest, path: string): CandidWriter {
  const own = assets.resolve(path);
  const asset = own !== null ? own : siteFallback();
  if (asset !== null && !asset.rawAccess && request.rawHost.length > 0) return toCertifiedHost(request);
  const certificate = legacyCertificateHeader(dataCertificate(), path);
  if (asset === null || (own === null && statusOf(asset) === NOT_FOUND)) {
    const headers = plainHeaders([]);
    headers.push(certificate);
    return bodyResponse(NOT_FOUND, headers, plainBody());
  }
  const encoding = legacyEncoding(asset);
  const headers = headersOf(asset, encoding);
  headers.push(certificate);
  if (request.has(etagOf(encoding))) return bodyResponse(NOT_MODIFIED, headers, []);
  return assetResponse(OK, headers, asset, encoding);
}

/** Sends a client of the host without certificates to the one with. */
function toCertifiedHost(request: HttpRequest): CandidWriter {
  const host = request.rawHost.replace('.raw.', '.');
  return bodyResponse(PERMANENT_REDIRECT, [new Header('location', '//' + host + request.url)], []);
}

export function streamingCallbackMethod(): void {
  const reader = readArgument();
  const token = readRequest(reader, reader.argument());
  const asset = assets.require(token.needKey());
  const encoding = asset.encoding(token.needContentEncoding());
  if (encoding === null) trap('invalid streaming token: no such encoding');
  const hash = token.hash;
  if (hash === null) trap('invalid streaming token: sha256 required');
  if (!sameBytes(hash!.toBytes(), encoding!.hash)) trap('invalid streaming token: the content has changed');
  const index = token.needIndex();
  if (index >= encoding!.content.pieces) trap('invalid streaming token: index out of bounds');
  reply(pieceResponse(asset, encoding!, index));
}
