import { Asset, Encoding, Header, IDENTITY } from './asset';
import { base64, Bytes, utf8 } from '../base/bytes';
import { ByteWriter } from '../base/byte-writer';
import { Leaf, Level, Responses } from './hash-tree';
import {
  expressionOf, headerHashes, headersOf, isPartial, partExpressionOf, rangeOf, rangeRequestHash, rangeRequestOf,
  responseHash, withoutBody, withExpression,
} from './headers';
import { sha256Of } from '../base/sha256';
import { certify } from '../base/system';
import { Reveal, writeSelfDescribed, writeTexts, writeTree } from './witness';

export const OK: u16 = 200;
export const PARTIAL: u16 = 206;
export const NOT_MODIFIED: u16 = 304;
export const TEMPORARY_REDIRECT: u16 = 307;
export const NOT_FOUND: u16 = 404;

const EXPRESSIONS = utf8('http_expr');
const BODIES = utf8('http_assets');
const EXACT = utf8('<$>');
const WILDCARD = utf8('<*>');
const LEGACY_FALLBACK = utf8('/index.html');
const NO_BODY: Bytes = [];
/** What the tree has instead of a request hash where no request is certified. */
const NO_REQUEST: Bytes = [];
const EMPTY_HASH = sha256Of(NO_BODY);
const PLAIN_BODY = utf8('not found');

const root: Level = new Level();

/** The segments of a path as labels: `/a/b` gives `a`, `b`; `/` gives one empty segment. */
function segmentsOf(path: string): Array<Bytes> {
  const parts = path.split('/');
  const segments: Array<Bytes> = [];
  for (let i = path.startsWith('/') ? 1 : 0; i < parts.length; i++) segments.push(utf8(parts[i]));
  return segments;
}

function exactPath(path: string): Array<Bytes> {
  const labels: Array<Bytes> = [EXPRESSIONS];
  const segments = segmentsOf(path);
  for (let i = 0; i < segments.length; i++) labels.push(segments[i]);
  labels.push(EXACT);
  return labels;
}

/** The labels of what is certified for paths in a folder; the site itself is the empty text. */
function folderPath(folder: string): Array<Bytes> {
  const labels: Array<Bytes> = [EXPRESSIONS];
  if (folder.length > 0) {
    const segments = segmentsOf(folder);
    for (let i = 0; i < segments.length; i++) labels.push(segments[i]);
  }
  labels.push(WILDCARD);
  return labels;
}

/** A path with a segment that means something in the tree can be neither certified nor served. */
export function isCertifiable(path: string): bool {
  return path.startsWith('/') && !(path + '/').includes('/<$>/') && !(path + '/').includes('/<*>/');
}

/**
 * What a path may be answered with for an asset: its body, to a client that has that already none, and to one that
 * asks for a piece of a large body that piece.
 */
export function responsesOf(asset: Asset, status: u16): Responses {
  const responses = new Responses();
  for (let i = 0; i < asset.encodings.length; i++) {
    const encoding = asset.encodings[i];
    const headers = headersOf(asset, encoding);
    const expression = expressionOf(headers);
    const expressionHash = sha256Of(utf8(expression));
    const hashes = headerHashes(withExpression(headers, expression));
    responses.add(expressionHash, NO_REQUEST, responseHash(hashes, status, encoding.hash));
    if (status !== OK) continue;
    responses.add(expressionHash, NO_REQUEST, responseHash(hashes, NOT_MODIFIED, EMPTY_HASH));
    if (isPartial(encoding)) addPieces(responses, asset, encoding);
  }
  return responses;
}

function addPieces(responses: Responses, asset: Asset, encoding: Encoding): void {
  const content = encoding.content;
  for (let i = 0; i < content.chunks.length; i++) {
    const headers = pieceHeaders(asset, encoding, i);
    const expression = partExpressionOf(headers);
    const hashes = headerHashes(withExpression(headers, expression));
    const request = rangeRequestHash(rangeRequestOf(i));
    responses.add(sha256Of(utf8(expression)), request, responseHash(hashes, PARTIAL, content.chunks[i].hash));
  }
}

/** The headers of the answer with one piece of a body, without the expression. */
export function pieceHeaders(asset: Asset, encoding: Encoding, index: u64): Array<Header> {
  const headers = headersOf(asset, encoding);
  headers.push(rangeOf(encoding.content, index));
  return headers;
}

/** A redirect; nothing of its answer but the status tells it from an empty page. */
export function redirectResponses(status: u16, location: string, others: Array<Header>): Responses {
  const headers = withoutBody(new Header('location', location), others);
  return oneResponse(headers, status, EMPTY_HASH);
}

/** The plain text for what is not found. */
export function plainNotFound(others: Array<Header>): Responses {
  return oneResponse(plainHeaders(others), NOT_FOUND, sha256Of(PLAIN_BODY));
}

function oneResponse(headers: Array<Header>, status: u16, bodyHash: Bytes): Responses {
  const expression = expressionOf(headers);
  const hashes = headerHashes(withExpression(headers, expression));
  const responses = new Responses();
  responses.add(sha256Of(utf8(expression)), NO_REQUEST, responseHash(hashes, status, bodyHash));
  return responses;
}

/** Certifies what `path` is answered with; `null` for nothing. Version 1 certifies the body of `asset` for it. */
export function certifyPath(path: string, responses: Responses | null, asset: Asset | null): void {
  if (responses === null) root.remove(exactPath(path));
  else root.put(exactPath(path), responses);
  if (asset === null) root.remove([BODIES, utf8(path)]);
  else root.put([BODIES, utf8(path)], new Leaf(legacyEncoding(asset).hash));
}

/** Certifies what paths in a folder are answered with that are not certified by themselves; `null` for nothing. */
export function certifyFolder(folder: string, responses: Responses | null): void {
  if (responses === null) root.remove(folderPath(folder));
  else root.put(folderPath(folder), responses);
}

/** The headers of a plain text: its type, and those that the site sets. */
export function plainHeaders(others: Array<Header>): Array<Header> {
  return withoutBody(new Header('content-type', 'text/plain; charset=utf-8'), others);
}

export function plainBody(): Bytes {
  return PLAIN_BODY;
}

/** The one encoding that version 1 of response verification certifies. */
export function legacyEncoding(asset: Asset): Encoding {
  const identity = asset.encoding(IDENTITY);
  return identity === null ? asset.encodings[0] : identity;
}

/** Makes the present state the certified one. Called once, at the end of a message that changed anything. */
export function publish(): void {
  certify(root.hash());
}

export function wholeTree(): Bytes {
  const writer = new ByteWriter(4096);
  writeSelfDescribed(writer);
  writeTree(writer, root);
  return writer.toBytes();
}

/**
 * The `IC-Certificate` header, version 2, for an answer to `path`: the witness shows what is certified for it or,
 * for the one of a folder, also that neither the path nor a nearer folder has one.
 */
export function certificateHeader(certificate: Bytes, path: string, folder: string | null): Header {
  const reveal = new Reveal();
  const exactLabels = exactPath(path);
  const shown = folder === null ? exactLabels : folderPath(folder);
  if (folder !== null) {
    reveal.add(exactLabels);
    for (let depth = 1; depth < exactLabels.length; depth++) {
      const above = exactLabels.slice(0, depth);
      reveal.add(above.concat([WILDCARD]));
      reveal.add(above.concat([NO_BODY, WILDCARD]));
    }
  }
  reveal.addWhole(shown);
  const path64 = new ByteWriter();
  writeSelfDescribed(path64);
  writeTexts(path64, shown);
  return new Header(
    'IC-Certificate',
    certificateField(certificate) +
      treeField(reveal, root) +
      'version=2, expr_path=:' +
      base64(path64.pointer, path64.length) +
      ':',
  );
}

/** The `IC-Certificate` header, version 1: the body hash at `path` or, without one, at the fallback's path. */
export function legacyCertificateHeader(certificate: Bytes, path: string): Header {
  const reveal = new Reveal();
  reveal.add([BODIES, utf8(path)]);
  reveal.add([BODIES, LEGACY_FALLBACK]);
  const tree = treeField(reveal, root);
  return new Header('IC-Certificate', certificateField(certificate) + tree.slice(0, tree.length - 2));
}

function certificateField(certificate: Bytes): string {
  return 'certificate=:' + base64(changetype<usize>(certificate), certificate.length) + ':, ';
}

function treeField(reveal: Reveal, tree: Level): string {
  const writer = new ByteWriter(1024);
  writeSelfDescribed(writer);
  reveal.write(writer, tree);
  return 'tree=:' + base64(writer.pointer, writer.length) + ':, ';
}
