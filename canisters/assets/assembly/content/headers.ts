import { Asset, Encoding, Header, IDENTITY } from './asset';
import { Content, PIECE_SIZE } from './content';
import { environmentCookie } from '../base/environment';
import { addressOf, Bytes, compareBytes, hex, utf8 } from '../base/bytes';
import { ByteWriter } from '../base/byte-writer';
import { isHtmlKey } from '../base/aliases';
import { sha256, sha256Of } from '../base/sha256';

const EXPRESSION_HEADER = 'ic-certificateexpression';
/** Pseudo header that carries the status code into the response hash (HTTP gateway protocol). */
const STATUS_HEADER = ':ic-cert-status';
/** The same for the method of a request. */
const METHOD_HEADER = ':ic-cert-method';

/** The headers of every answer with this body, without those of the certificate. Names are in lower case. */
export function headersOf(asset: Asset, encoding: Encoding): Array<Header> {
  const headers: Array<Header> = [];
  const cookie = isHtmlKey(asset.key) ? environmentCookie() : '';
  if (cookie.length > 0) headers.push(new Header('set-cookie', cookie));
  const custom = asset.properties.headers;
  if (custom !== null) {
    for (let i = 0; i < custom.length; i++) {
      const name = custom[i].name.toLowerCase();
      // As in the reference canister, the cookie of a page is the one with its environment.
      if (cookie.length === 0 || name != 'set-cookie') headers.push(new Header(name, custom[i].value));
    }
  }
  addUnlessSet(headers, 'content-type', asset.contentType);
  if (encoding.name != IDENTITY) addUnlessSet(headers, 'content-encoding', encoding.name);
  const properties = asset.properties;
  if (properties.hasMaxAge) addUnlessSet(headers, 'cache-control', 'max-age=' + properties.maxAge.toString());
  if (asset.encodings.length > 1) addUnlessSet(headers, 'vary', 'Accept-Encoding');
  addUnlessSet(headers, 'etag', etagOf(encoding));
  if (isPartial(encoding)) addUnlessSet(headers, 'accept-ranges', 'bytes');
  return headers;
}

function addUnlessSet(headers: Array<Header>, name: string, value: string): void {
  for (let i = 0; i < headers.length; i++) {
    if (headers[i].name == name) return;
  }
  headers.push(new Header(name, value));
}

/** Headers that tell of the body of a file. */
const OF_BODY: Array<string> = ['location', 'content-type', 'content-encoding', 'content-length', 'etag', 'set-cookie'];

/** The headers of an answer without a file: the one that it has, and those that the site sets, but for what tells of a body. */
export function withoutBody(own: Header, others: Array<Header>): Array<Header> {
  const headers = [own];
  for (let i = 0; i < others.length; i++) {
    const name = others[i].name.toLowerCase();
    if (!OF_BODY.includes(name)) headers.push(new Header(name, others[i].value));
  }
  return headers;
}

/** Whether the body is also answered in parts: it has several pieces whose hashes are known. */
export function isPartial(encoding: Encoding): bool {
  return encoding.content.chunks.length > 1 && encoding.content.inPieces;
}

/** `content-range` of a piece. */
export function rangeOf(content: Content, index: u64): Header {
  const first = index * PIECE_SIZE;
  const last = first + content.pieceSize(index) - 1;
  const range = 'bytes ' + first.toString() + '-' + last.toString();
  return new Header('content-range', range + '/' + content.length.toString());
}

/** The `range` header that asks for a piece. */
export function rangeRequestOf(index: u64): string {
  return 'bytes=' + (index * PIECE_SIZE).toString() + '-';
}

export function etagOf(encoding: Encoding): string {
  return '"' + hex(encoding.hash) + '"';
}

const WHOLE = 'no_request_certification:Empty{},';
/** A part is the answer to a request for just this part, so nobody can be given it for the whole. */
const PART =
  'request_certification:RequestCertification{certified_request_headers:["range"],certified_query_parameters:[]},';

/** The statement which parts of the exchange are certified: not the request, of the response these headers. */
export function expressionOf(headers: Array<Header>): string {
  return expression(WHOLE, headers);
}

/** As `expressionOf` for an answer in parts: also the `range` of the request. */
export function partExpressionOf(headers: Array<Header>): string {
  return expression(PART, headers);
}

function expression(request: string, headers: Array<Header>): string {
  let names = '';
  for (let i = 0; i < headers.length; i++) {
    const name = '"' + headers[i].name + '"';
    if (!names.includes(name)) names += (names.length > 0 ? ',' : '') + name;
  }
  return (
    'default_certification(ValidationArgs{certification:Certification{' + request +
    'response_certification:ResponseCertification{certified_response_headers:ResponseHeaderList{headers:[' +
    names +
    ']}}}})'
  );
}

export function withExpression(headers: Array<Header>, expression: string): Array<Header> {
  headers.push(new Header(EXPRESSION_HEADER, expression));
  return headers;
}

/** The hashes of headers (which include the expression), from which the response hash of each status is made. */
export function headerHashes(headers: Array<Header>): Array<Bytes> {
  const fields: Array<Bytes> = [];
  for (let i = 0; i < headers.length; i++) fields.push(fieldHash(headers[i].name, utf8(headers[i].value)));
  return fields;
}

/** The response hash of the HTTP gateway protocol. */
export function responseHash(hashes: Array<Bytes>, status: u16, bodyHash: Bytes): Bytes {
  const number = new ByteWriter(4);
  number.uleb(status);
  return messageHash(hashes.concat([fieldHash(STATUS_HEADER, number.toBytes())]), bodyHash);
}

/** The request hash of the HTTP gateway protocol, for a GET without body and with this `range` alone certified. */
export function rangeRequestHash(range: string): Bytes {
  const fields = [fieldHash('range', utf8(range)), fieldHash(METHOD_HEADER, utf8('GET'))];
  return messageHash(fields, sha256(0, 0));
}

function messageHash(fields: Array<Bytes>, bodyHash: Bytes): Bytes {
  fields.sort(compareBytes);
  const all = new ByteWriter(fields.length * 64);
  for (let i = 0; i < fields.length; i++) all.bytes(fields[i]);
  const parts = new ByteWriter(64);
  parts.bytes(sha256(all.pointer, all.length));
  parts.bytes(bodyHash);
  return sha256(parts.pointer, parts.length);
}

/** Hash of the name, then hash of the value: one entry of a representation-independent hash. */
function fieldHash(name: string, value: Bytes): Bytes {
  const entry = new StaticArray<u8>(64);
  memory.copy(addressOf(entry), addressOf(sha256Of(utf8(name))), 32);
  memory.copy(addressOf(entry) + 32, addressOf(sha256Of(value)), 32);
  return entry;
}
