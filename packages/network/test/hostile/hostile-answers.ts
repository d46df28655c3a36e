import { deflateSync, gzipSync } from 'node:zlib';
import { utf8 } from '@cannery/ic/certification/bytes';
import { encodeCbor, treeToCbor } from '@cannery/ic/certification/tree/cbor';
import { sha256 } from '@cannery/ic/certification/signatures/hash';
import { fork, type HashTree, hashOf, labeled, leaf, pruned } from '@cannery/ic/certification/tree/hash-tree';
import type { Header } from '../../src/gateway/proof/http-messages.ts';
import {
  bytesOf,
  certificateHeader,
  ENDLESS,
  message,
  page,
  pageOfHeaders,
  pageWith,
  T,
} from './hostile-pages.ts';

const MEGABYTE = 1024 ** 2;

/** What a canister answers to `http_request` (a page), or to its streaming callback (a piece). */
export interface HostileAnswer {
  readonly kind: 'page' | 'piece';
  readonly reply: Uint8Array;
}

const pageAnswer = (reply: Uint8Array): HostileAnswer => ({ kind: 'page', reply });
const pieceAnswer = (reply: Uint8Array): HostileAnswer => ({ kind: 'piece', reply });

const empty = labeled(utf8('http_expr'), labeled(utf8('<*>'), leaf(new Uint8Array())));
/** Hash trees of `depth` nodes below each other, written without recursion. */
const nested = (head: readonly number[], depth: number, end: readonly number[]): Uint8Array =>
  Buffer.concat([...Array.from({ length: depth }, () => Buffer.from(head)), Buffer.from(end)]);
const manyForks = (count: number): HashTree => {
  let level: HashTree[] = Array.from({ length: count }, () => pruned(new Uint8Array(32)));
  while (level.length > 1) {
    level = level.flatMap((left, at) => (at % 2 === 0 ? [fork(left, level[at + 1] ?? left)] : []));
  }
  return level[0] ?? empty;
};
const headers = (count: number, length = 1): Header[] =>
  Array.from({ length: count }, (_, index) => [`x-${index}`, 'v'.repeat(length)]);
const zeros = (count: number): Uint8Array => new Uint8Array(count);

/** Answers of the canister `canisterId` that would take without bound. */
export function hostileAnswers(
  canisterId: Uint8Array,
): readonly (readonly [name: string, answer: () => HostileAnswer])[] {
  /** A certificate whose state has this certified data, signed by nobody. */
  const certificateOf = (data: Uint8Array, signature: Uint8Array = new Uint8Array(48)): Uint8Array =>
    encodeCbor({
      tree: treeToCbor(
        fork(
          labeled(utf8('canister'), labeled(canisterId, labeled(utf8('certified_data'), leaf(data)))),
          labeled(utf8('time'), leaf(Uint8Array.of(1))),
        ),
      ),
      signature,
    });

  const certifiedBy = (tree: HashTree, path?: readonly string[], version?: number): Header =>
    certificateHeader(certificateOf(hashOf(tree)), tree, path, version);
  const rawHeader = (tree: Uint8Array): Header => [
    'IC-Certificate',
    `certificate=:${Buffer.from(certificateOf(hashOf(empty))).toString('base64')}:, tree=:${Buffer.from(tree).toString('base64')}:, version=2`,
  ];
  const expression = (value: string): HostileAnswer =>
    pageAnswer(page([certifiedBy(empty), ['IC-CertificateExpression', value]]));

  const version1 = (body: Uint8Array, encoding: string): HostileAnswer => {
    const tree = labeled(utf8('http_assets'), labeled(utf8('/'), leaf(sha256(utf8('something else')))));
    return pageAnswer(page([certifiedBy(tree, [], 1), ['Content-Encoding', encoding]], body));
  };
  return [
    // Lengths that are only claimed.
    ['endless headers of empty records', () => pageAnswer(pageOfHeaders([[T.record, 0]], 3, ENDLESS))],
    ['endless headers of null', () => pageAnswer(pageOfHeaders([], T.null, ENDLESS))],
    ['endless headers of reserved', () => pageAnswer(pageOfHeaders([], T.reserved, ENDLESS))],
    [
      'endless headers of text',
      () => pageAnswer(pageOfHeaders([[T.record, 2, 0, T.text, 1, T.text]], 3, ENDLESS)),
    ],
    ['257 headers', () => pageAnswer(page(headers(257)))],
    ['40,000 headers', () => pageAnswer(page(headers(40_000)))],
    ['a header of 1.8 MB', () => pageAnswer(page(headers(1, 1_800_000)))],
    ['headers of 129 kB together', () => pageAnswer(page(headers(129, 1024)))],
    ['a header name of 300 letters', () => pageAnswer(page([['n'.repeat(300), 'v']]))],
    [
      'a header text that claims 4 GB',
      () => pageAnswer(pageOfHeaders([[T.record, 1, 0, T.text]], 3, [1, ENDLESS])),
    ],
    [
      'a body that claims 4 GB',
      () => pageAnswer(message([[T.vec, T.nat8]], [{ name: 'body', type: 1, value: ENDLESS }])),
    ],
    ['a table that claims 4 billion entries', () => pageAnswer(bytesOf(utf8('DIDL'), ENDLESS))],
    [
      'a table of 100,000 entries',
      () =>
        pageAnswer(bytesOf(utf8('DIDL'), 100_000, ...Array.from({ length: 100_000 }, () => [T.opt, T.null]))),
    ],
    ['a record that claims 4 billion fields', () => pageAnswer(bytesOf(utf8('DIDL'), 1, T.record, ENDLESS))],
    ['a function of 4 billion arguments', () => pageAnswer(bytesOf(utf8('DIDL'), 1, T.func, ENDLESS))],
    ['a service of 4 billion methods', () => pageAnswer(bytesOf(utf8('DIDL'), 1, T.service, ENDLESS))],
    ['4 billion values', () => pageAnswer(bytesOf(utf8('DIDL'), 0, ENDLESS))],
    [
      '400,000 values of null',
      () => pageAnswer(bytesOf(utf8('DIDL'), 0, 400_000, zeros(400_000).fill(T.null))),
    ],
    // Values in fields that nobody asked for.
    ['an unknown field of endless null', () => pageAnswer(pageWith('x', [[T.vec, T.null]], 4, ENDLESS))],
    [
      'an unknown field of endless reserved',
      () => pageAnswer(pageWith('x', [[T.vec, T.reserved]], 4, ENDLESS)),
    ],
    [
      'an unknown field of endless records',
      () =>
        pageAnswer(
          pageWith(
            'x',
            [
              [T.vec, 5],
              [T.record, 0],
            ],
            4,
            ENDLESS,
          ),
        ),
    ],
    ['records of records of nothing', () => pageAnswer(pageWith('x', doubling(20), 4, []))],
    [
      'lists of lists of lists',
      () =>
        pageAnswer(
          pageWith(
            'x',
            [
              [T.vec, 5],
              [T.vec, 6],
              [T.vec, T.null],
            ],
            4,
            [3, ENDLESS, ENDLESS, ENDLESS],
          ),
        ),
    ],
    ['options 100,000 deep', () => pageAnswer(pageWith('x', [[T.opt, 4]], 4, zeros(100_000).fill(1)))],
    ['a record that holds itself', () => pageAnswer(pageWith('x', [[T.record, 1, 0, 4]], 4, []))],
    [
      'a variant that holds itself',
      () => pageAnswer(pageWith('x', [[T.variant, 1, 0, 4]], 4, zeros(100_000))),
    ],
    [
      'a million empty texts',
      () => pageAnswer(pageWith('x', [[T.vec, T.text]], 4, [1_000_000, zeros(1_000_000)])),
    ],
    [
      'a million empty blobs',
      () =>
        pageAnswer(
          pageWith(
            'x',
            [
              [T.vec, 5],
              [T.vec, T.nat8],
            ],
            4,
            [1_000_000, zeros(1_000_000)],
          ),
        ),
    ],
    [
      'a number of a million digits',
      () => pageAnswer(pageWith('x', [], T.nat, [zeros(1_000_000).fill(0x80), 0])),
    ],
    ['a list of numbers that are not there', () => pageAnswer(pageWith('x', [[T.vec, T.nat64]], 4, ENDLESS))],
    // Certificates.
    ['a certificate of 1.3 MB of nodes', () => pageAnswer(page([certifiedBy(manyForks(20_000))]))],
    ['a certificate of 90 kB of nodes', () => pageAnswer(page([certifiedBy(manyForks(1_700))]))],
    [
      'a tree 20,000 labels deep',
      () => pageAnswer(page([rawHeader(nested([0x83, 2, 0x40], 20_000, [0x81, 0]))])),
    ],
    [
      'a tree 20,000 forks deep',
      () => pageAnswer(page([rawHeader(nested([0x83, 1, 0x81, 0], 20_000, [0x81, 0]))])),
    ],
    [
      'a tree of 40,000 empty maps',
      () =>
        pageAnswer(
          page([rawHeader(Buffer.concat([Buffer.from([0x99, 0x9c, 0x40]), zeros(40_000).fill(0xa0)]))]),
        ),
    ],
    [
      'a tree that claims 2^64 items',
      () => pageAnswer(page([rawHeader(Buffer.from('9bffffffffffffffff', 'hex'))])),
    ],
    ['a tree of lists without an end', () => pageAnswer(page([rawHeader(zeros(60_000).fill(0x9f))]))],
    ['a tree of tags of tags', () => pageAnswer(page([rawHeader(zeros(60_000).fill(0xc1))]))],
    [
      'a signature of 40 kB',
      () => pageAnswer(page([certificateHeader(certificateOf(hashOf(empty), zeros(40_000)), empty)])),
    ],
    ['a header of 30,000 fields', () => pageAnswer(page([['IC-Certificate', 'a=b,'.repeat(30_000)]]))],
    [
      'a path of 30,000 parts',
      () =>
        pageAnswer(
          page([
            certifiedBy(
              empty,
              Array.from({ length: 30_000 }, () => ''),
            ),
          ]),
        ),
    ],
    [
      'a certificate that is null',
      () => pageAnswer(page([['IC-Certificate', 'certificate=:9g==:, tree=:9g==:']])),
    ],
    [
      'a certificate that is a list',
      () => pageAnswer(page([['IC-Certificate', 'certificate=:gA==:, tree=:gA==:']])),
    ],
    // Expressions.
    ['an expression of 120 kB of quotes', () => expression(`"${'\\"'.repeat(60_000)}`)],
    ['an expression of 8 kB of quotes', () => expression(`"${'\\"'.repeat(4_000)}`)],
    ['an expression of spaces', () => expression(' '.repeat(120_000))],
    ['an expression of 1,000 names', () => expression(listOf(1_000))],
    [
      'an expression of 40,000 names',
      () => pageAnswer(page([certifiedBy(empty), ['IC-CertificateExpression', listOf(20_000)]])),
    ],
    // Packed bodies.
    ['gzip of 400 MB', () => version1(gzipOfZeros(400), 'gzip')],
    ['deflate of 100 MB', () => version1(deflateSync(Buffer.alloc(100 * MEGABYTE)), 'deflate')],
    ['gzip that is none', () => version1(Buffer.alloc(MEGABYTE, 7), 'gzip')],
    ['an encoding named as a property', () => version1(utf8('x'), 'constructor')],
    // Pieces of bodies.
    [
      'a token of 100 kB',
      () =>
        pieceAnswer(
          message(
            [
              [T.vec, T.nat8],
              [T.opt, T.text],
            ],
            [
              { name: 'body', type: 1, value: 0 },
              { name: 'token', type: 2, value: [1, 100_000, zeros(100_000)] },
            ],
          ),
        ),
    ],
    [
      'a token of endless nothing',
      () =>
        pieceAnswer(
          message(
            [
              [T.vec, T.nat8],
              [T.opt, 3],
              [T.vec, T.null],
            ],
            [
              { name: 'body', type: 1, value: 0 },
              { name: 'token', type: 2, value: [1, ENDLESS] },
            ],
          ),
        ),
    ],
    ['a piece without a body', () => pieceAnswer(message([], [{ name: 'token', type: T.null, value: [] }]))],
    ['a piece that is a number', () => pieceAnswer(bytesOf(utf8('DIDL'), 0, 1, T.nat8, 7))],
    [
      'a strategy without a callback',
      () =>
        pageAnswer(
          pageWith(
            'streaming_strategy',
            [
              [T.opt, 5],
              [T.variant, 1, 7, T.null],
            ],
            4,
            [1, 0],
          ),
        ),
    ],
    ['2 MB of noise', () => pageAnswer(Buffer.alloc(2 * MEGABYTE, 'noise'))],
    ['nothing at all', () => pageAnswer(zeros(0))],
  ];
}

/** Types from number 4 on, each a record of the next one twice: 2^count values in a few bytes. */
function doubling(count: number): unknown[][] & number[][] {
  const types = Array.from({ length: count }, (_, at) => [T.record, 2, 0, 5 + at, 1, 5 + at]);
  return [...types, [T.record, 0]] as number[][] & unknown[][];
}

function listOf(count: number): string {
  const names = Array.from({ length: count }, (_, index) => `"n${index}"`).join(',');
  return `default_certification(ValidationArgs{certification:Certification{no_request_certification:Empty{},response_certification:ResponseCertification{certified_response_headers:ResponseHeaderList{headers:[${names}]}}}})`;
}

/** Several members one after the other: gzip of as many megabytes as is wanted, made fast. */
function gzipOfZeros(megabytes: number): Uint8Array {
  const one = gzipSync(Buffer.alloc(10 * MEGABYTE));
  return Buffer.concat(Array.from({ length: megabytes / 10 }, () => one));
}
