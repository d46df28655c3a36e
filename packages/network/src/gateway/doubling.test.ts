import { gzipSync } from 'node:zlib';
import { describe, test } from 'vitest';
import { Budget } from '@cannery/ic/budget';
import { utf8 } from '@cannery/ic/certification/bytes';
import { encodeCbor } from '@cannery/ic/certification/tree/cbor';
import { sha256 } from '@cannery/ic/certification/signatures/hash';
import { fork, type HashTree, labeled, leaf, pruned } from '@cannery/ic/certification/tree/hash-tree';
import { directoryOf } from '@cannery/ic/certification/tree/tree-directory';
import { isPlainKey, keyOf } from './kept/request-key.ts';
import { findCanister } from './visitors/addresses.ts';
import { parseCertificateExpression } from './proof/certificate-expression.ts';
import { parseCertificateHeader } from './proof/certificate-header.ts';
import { checkExpressionPath } from './proof/expression-path.ts';
import {
  decodeHttpResponse,
  decodeStreamedChunk,
  encodeHttpRequest,
  type Header,
} from './proof/http-messages.ts';
import { requestHash, responseHash } from './proof/message-hashes.ts';
import { MAX_SHOWN_BYTES, shownInterface } from './page/candid-page.ts';
import { parseRanges, resolveRanges } from './page/byte-ranges.ts';
import { completed } from './page/partial-response.ts';
import { plainAddress } from './page/plain-address.ts';
import { ProvenClaims } from './proof/proven-claims.ts';
import { PLAIN_BYTES, THREAD_LIMITS } from './reading/read-answer.ts';
import { headersForCanister, headersForClient } from './page/headers.ts';
import { unpackedHash } from './proof/unpacked-hash.ts';
import { expectLinear } from '../../test/expect-linear.ts';
import { certificateHeader, page, pageWith, piece, T } from '../../test/hostile/hostile-pages.ts';

/**
 * Each place where the gateway reads what a client or a canister sends: the input is doubled up to the cap of its reader,
 * and the work may at most double. A new reader of the gateway gets a row here.
 */

const KILOBYTE = 1024;
const MEGABYTE = 1024 ** 2;
/** Longest reply of a query, in bytes (`MAX_QUERY_REPLY_BYTES`). */
const REPLY = 3 * MEGABYTE;
/** Longest head of a request (`--max-http-header-size` of Node). */
const HEAD = 16 * KILOBYTE;

const budget = (): Budget => new Budget(THREAD_LIMITS);
const named = (count: number, length = 1): Header[] =>
  Array.from({ length: count }, (_, index) => [`x-${index}`, 'v'.repeat(length)]);
const names = (count: number): ReadonlySet<string> => new Set(named(count).map(([name]) => name));
const responseExpression = { kind: 'response', request: undefined, responseHeadersAre: 'certified' } as const;
const asked = {
  canisterId: Uint8Array.of(1),
  method: 'GET',
  headers: [],
  bodyHash: sha256(),
  body: new Uint8Array(),
};

function forks(count: number): HashTree {
  let level: HashTree[] = Array.from({ length: Math.max(count, 1) }, () => pruned(new Uint8Array(32)));
  while (level.length > 1) {
    level = level.flatMap((left, at) => (at % 2 === 0 ? [fork(left, level[at + 1] ?? left)] : []));
  }
  return level[0] ?? pruned(new Uint8Array(32));
}

/** A tree that has a folder for each part of a path, each beside a hundred others. */
function folders(depth: number): HashTree {
  let tree: HashTree = leaf(new Uint8Array());
  const others = Array.from({ length: 100 }, (_, at) => [utf8(`z${at}`), leaf(new Uint8Array())] as const);
  for (let level = 0; level < depth; level += 1) tree = directoryOf([[utf8('a'), tree], ...others]);
  return labeled(
    utf8('http_expr'),
    directoryOf([
      [utf8('<*>'), leaf(new Uint8Array())],
      [utf8('a'), tree],
    ]),
  );
}

function expressionOf(count: number): string {
  const list = named(count).map(([name]) => `"${name}"`);
  return `default_certification(ValidationArgs{certification:Certification{no_request_certification:Empty{},response_certification:ResponseCertification{certified_response_headers:ResponseHeaderList{headers:[${list}]}}}})`;
}

const READERS: readonly Row[] = [
  row('an interface on a page', 60, (size) => utf8('<'.repeat(size)), MAX_SHOWN_BYTES, shownInterface),
  row(
    'bytes of a page',
    60,
    (size) => page([], new Uint8Array(size)),
    REPLY,
    (reply) => decodeHttpResponse(reply, budget()),
  ),
  row(
    'headers of a page',
    60,
    (size) => page(named(size)),
    256,
    (reply) => decodeHttpResponse(reply, budget()),
  ),
  row(
    'bytes of headers',
    60,
    (size) => page(named(128, size / 128)),
    120 * KILOBYTE,
    (reply) => decodeHttpResponse(reply, budget()),
  ),
  row(
    'values nobody asked for',
    120,
    (size) => pageWith('x', [[T.vec, T.text]], 4, [size, new Uint8Array(size)]),
    90_000,
    (reply) => decodeHttpResponse(reply, budget()),
  ),
  row(
    'entries of a table of types',
    120,
    (size) =>
      pageWith(
        'x',
        Array.from({ length: size }, () => [T.opt, T.null]),
        T.null,
        [],
      ),
    60_000,
    (reply) => decodeHttpResponse(reply, budget()),
  ),
  row(
    'bytes of a piece',
    60,
    (size) => piece(new Uint8Array(size), '1'),
    REPLY,
    (reply) => decodeStreamedChunk(reply, budget()),
  ),
  row(
    'nodes of a certificate',
    60,
    (size) => certificateHeader(encodeCbor({ tree: [0], signature: new Uint8Array(48) }), forks(size))[1],
    2_000,
    (value) => parseCertificateHeader(value, budget()),
  ),
  row(
    'fields of a certificate',
    60,
    (size) => 'a=b,'.repeat(size / 4),
    128 * KILOBYTE,
    (value) => parseCertificateHeader(value, budget()),
  ),
  row('names of an expression', 30, expressionOf, 256, parseCertificateExpression),
  row(
    'quotes of an expression',
    30,
    (size) => `"${'\\"'.repeat(size / 2)}`,
    8 * KILOBYTE,
    parseCertificateExpression,
  ),
  row('spaces of an expression', 30, (size) => ' '.repeat(size), 8 * KILOBYTE, parseCertificateExpression),
  row(
    'parts of a path that is not there',
    30,
    (size) => `${'/a'.repeat(size)}`,
    1_024,
    (path) => checkExpressionPath(['http_expr', '<*>'], path, folders(1)),
  ),
  row(
    'parts of a path of folders',
    120,
    (size) => [`${'/a'.repeat(size)}`, folders(size)] as const,
    256,
    ([path, tree]) => checkExpressionPath(['http_expr', '<*>'], path, tree),
  ),
  row(
    'certified headers of a response',
    60,
    (size) => ({ headers: named(size), responseHeaders: names(size) }),
    256,
    ({ headers, responseHeaders }) =>
      responseHash({ status: 200, headers, bodyHash: sha256() }, { ...responseExpression, responseHeaders }),
  ),
  row(
    'certified query parameters',
    60,
    (size) => `/?${Array.from({ length: size / 8 }, (_, at) => `x-${at}=1`).join('&')}`,
    HEAD,
    (url) => requestHash({ ...asked, url }, { headers: new Set(), queryParameters: names(256) }),
  ),
  row(
    'a packed body',
    1_500,
    (size) => gzipSync(new Uint8Array(size)),
    32 * MEGABYTE,
    (body) => unpackedHash(body, 'gzip', new Budget({ values: 0, depth: 0, bytes: 32 * MEGABYTE })),
  ),
  row(
    'a content range',
    10,
    (size) => '1'.repeat(size),
    128 * KILOBYTE,
    (digits) =>
      completed(
        { ...asked, url: '/' },
        { status: 206, headers: [['content-range', `bytes 0-0/${digits}`]], body: new Uint8Array(1) },
        () => Promise.reject(new Error()),
      ),
  ),
  row(
    'an address with empty parts',
    30,
    (size) => '//a'.repeat(Math.min(size / 8, 1_000)).padEnd(size, '/'),
    HEAD,
    plainAddress,
  ),
  row(
    'a range header',
    10,
    (size) => `bytes=${',0-1'.repeat(size / 4)}`,
    HEAD,
    (value) => parseRanges(value),
  ),
  row(
    'ranges of a body',
    10,
    (size) => Array.from({ length: size }, (_, at) => ({ first: at % 7, last: at })),
    16,
    (specs) => resolveRanges(specs, 1_000),
  ),
  row(
    'headers for a client',
    30,
    (size) => named(size),
    256,
    (headers) => headersForClient(headers, 'x.localhost'),
  ),
  row(
    'a Connection header',
    60,
    (size) => 'a,'.repeat(size / 2),
    128 * KILOBYTE,
    (value) => headersForClient([['connection', value]], 'x.localhost'),
  ),
  row(
    'a Set-Cookie header',
    60,
    (size) => 'a=;'.repeat(size / 3),
    128 * KILOBYTE,
    (value) => headersForClient([['set-cookie', value]], 'x.localhost'),
  ),
  row(
    'headers for a canister',
    30,
    (size) => named(size / 8).flat(),
    HEAD,
    (raw) => headersForCanister(raw, true),
  ),
  row(
    'a request for a canister',
    60,
    (size) => new Uint8Array(size),
    4 * MEGABYTE,
    (body) => encodeHttpRequest({ ...asked, url: '/', body }, 'query'),
  ),
  row(
    'the key of a request',
    10,
    (size) => `GET / HTTP/1.1\r\n${'x-forwarded-for:\r\nx-:\r\n'.repeat(size / 23)}\r\n`,
    HEAD,
    (head) => isPlainKey(keyOf(head)),
  ),
  row(
    'a host',
    10,
    (size) => `${'a-'.repeat(size / 2)}.localhost`,
    HEAD,
    (name) =>
      findCanister({ name, port: '', labels: name.split('.') }, new URL('http://network/'), undefined),
  ),
  row(
    'an ID in an address',
    30,
    (size) => `http://network/?canisterId=${'a-'.repeat(size / 2)}`,
    HEAD,
    (url) => findCanister({ name: 'localhost', port: '', labels: ['localhost'] }, new URL(url), undefined),
  ),
  row(
    'the name of a claim',
    10,
    (size) => new Uint8Array(size),
    PLAIN_BYTES,
    (reply) => new ProvenClaims().nameOf({ ...asked, url: '/' }, reply),
  ),
];

interface Row {
  readonly what: string;
  run(): Promise<void>;
}

/** `mostMillis` is what the largest input may take. */
function row<Input>(
  what: string,
  mostMillis: number,
  input: (size: number) => Input,
  cap: number,
  read: (input: Input) => unknown,
): Row {
  return { what, run: () => expectLinear({ input, cap, read }, mostMillis) };
}

describe('twice the input is at most twice the work', () => {
  test.each(READERS)('$what', (each) => each.run());
});
