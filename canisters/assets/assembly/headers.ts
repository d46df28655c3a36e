import { Asset, Encoding, Header, IDENTITY } from './asset';
import { environmentCookie } from './environment';
import { addressOf, Bytes, compareBytes, hex, utf8 } from './bytes';
import { ByteWriter } from './byte-writer';
import { isHtmlKey } from './aliases';
import { sha256, sha256Of } from './sha256';

const EXPRESSION_HEADER = 'ic-certificateexpression';
/** Pseudo header that carries the status code into the response hash (HTTP gateway protocol). */
const STATUS_HEADER = ':ic-cert-status';

/** The headers of every answer with this body, without those of the certificate. Names are in lower case. */
export function headersOf(asset: Asset, encoding: Encoding): Array<Header> {
  const headers: Array<Header> = [];
  const custom = asset.properties.headers;
  if (custom !== null) {
    for (let i = 0; i < custom.length; i++) headers.push(new Header(custom[i].name.toLowerCase(), custom[i].value));
  }
  addUnlessSet(headers, 'content-type', asset.contentType);
  if (encoding.name != IDENTITY) addUnlessSet(headers, 'content-encoding', encoding.name);
  if (asset.properties.hasMaxAge) addUnlessSet(headers, 'cache-control', 'max-age=' + asset.properties.maxAge.toString());
  if (asset.encodings.length > 1) addUnlessSet(headers, 'vary', 'Accept-Encoding');
  addUnlessSet(headers, 'etag', etagOf(encoding));
  if (isHtmlKey(asset.key)) {
    const cookie = environmentCookie();
    if (cookie.length > 0) addUnlessSet(headers, 'set-cookie', cookie);
  }
  return headers;
}

function addUnlessSet(headers: Array<Header>, name: string, value: string): void {
  for (let i = 0; i < headers.length; i++) {
    if (headers[i].name == name) return;
  }
  headers.push(new Header(name, value));
}

export function etagOf(encoding: Encoding): string {
  return '"' + hex(encoding.hash) + '"';
}

/** The statement which parts of the exchange are certified: not the request, of the response these headers. */
export function expressionOf(headers: Array<Header>): string {
  let names = '';
  for (let i = 0; i < headers.length; i++) {
    const name = '"' + headers[i].name + '"';
    if (!names.includes(name)) names += (names.length > 0 ? ',' : '') + name;
  }
  return (
    'default_certification(ValidationArgs{certification:Certification{no_request_certification:Empty{},' +
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
  const fields = hashes.concat([fieldHash(STATUS_HEADER, number.toBytes())]);
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
