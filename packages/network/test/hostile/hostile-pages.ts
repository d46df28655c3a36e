import { encodeLeb128, utf8 } from '@cannery/ic/certification/bytes';
import { encodeCbor, treeToCbor } from '@cannery/ic/certification/tree/cbor';
import type { HashTree } from '@cannery/ic/certification/tree/hash-tree';
import { labelHash } from '@cannery/candid/label';
import type { Header } from '../../src/gateway/proof/http-messages.ts';

/** Answers of canisters made byte by byte, so that they can say what no library would. */

/** Opcodes of Candid as they are in a message, one byte each. */
export const T = {
  null: 0x7f,
  bool: 0x7e,
  nat: 0x7d,
  nat8: 0x7b,
  nat16: 0x7a,
  nat64: 0x78,
  text: 0x71,
  reserved: 0x70,
  empty: 0x6f,
  opt: 0x6e,
  vec: 0x6d,
  record: 0x6c,
  variant: 0x6b,
  func: 0x6a,
  service: 0x69,
  principal: 0x68,
} as const;

type Part = number | Uint8Array | readonly Part[];

/** Bytes of parts; numbers are written as unsigned LEB128. */
export function bytesOf(...parts: readonly Part[]): Uint8Array<ArrayBuffer> {
  const write = (part: Part): Uint8Array =>
    typeof part === 'number' ? encodeLeb128(part) : part instanceof Uint8Array ? part : bytesOf(...part);
  return Buffer.concat(parts.map(write));
}

export const text = (value: string): Uint8Array => bytesOf(value.length, Buffer.from(value));
export const blob = (value: Uint8Array): Uint8Array => bytesOf(value.length, value);
/** The largest number that a length may say. */
export const ENDLESS = 2 ** 32 - 1;

/** A field with its type, by its number in the table or as a primitive, and its value. */
interface Field {
  readonly name: string;
  readonly type: Part;
  readonly value: Part;
}

/** A message with one record. `types` are the entries of its table from number 1 on. */
export function message(types: readonly Part[], fields: readonly Field[]): Uint8Array {
  const sorted = fields.toSorted((a, b) => labelHash(a.name) - labelHash(b.name));
  const heads = sorted.map(({ name, type }) => [labelHash(name), type]);
  const record = [T.record, sorted.length, heads];
  return bytesOf(
    utf8('DIDL'),
    types.length + 1,
    record,
    types,
    1,
    0,
    sorted.map(({ value }) => value),
  );
}

/** The types of a response: 1 a blob, 2 the headers, 3 one header; more may follow from 4 on. */
const TYPES: readonly Part[] = [
  [T.vec, T.nat8],
  [T.vec, 3],
  [T.record, 2, 0, T.text, 1, T.text],
];

const status: Field = { name: 'status_code', type: T.nat16, value: Uint8Array.of(200, 0) };
const bodyField = (value: Uint8Array): Field => ({ name: 'body', type: 1, value: blob(value) });
const headersField = (headers: readonly Header[]): Field => ({
  name: 'headers',
  type: 2,
  value: [headers.length, headers.map(([name, value]) => [text(name), text(value)])],
});

/** A page as canisters answer it. */
export function page(headers: readonly Header[] = [], body: Uint8Array = utf8('hello')): Uint8Array {
  return message(TYPES, [status, headersField(headers), bodyField(body)]);
}

/** A page with one more field, of the types from number 4 on. */
export function pageWith(name: string, types: readonly Part[], type: Part, value: Part): Uint8Array {
  return message(
    [...TYPES, ...types],
    [status, headersField([]), bodyField(utf8('hello')), { name, type, value }],
  );
}

/** A page whose headers are a list of something else, of the types from number 3 on. */
export function pageOfHeaders(types: readonly Part[], content: Part, value: Part): Uint8Array {
  const table = [[T.vec, T.nat8], [T.vec, content], ...types];
  return message(table, [status, { name: 'headers', type: 2, value }, bodyField(utf8('hello'))]);
}

const TOKEN: readonly Part[] = [[T.record, 1, labelHash('key'), T.text]];

/** A page that goes on with the callback `next` of `canisterId`. */
export function streamingPage(
  canisterId: Uint8Array,
  headers: readonly Header[],
  body: Uint8Array,
): Uint8Array {
  const types = [
    ...TYPES,
    ...TOKEN,
    [T.func, 0, 0, 1, 1],
    [T.record, 2, [labelHash('token'), 4], [labelHash('callback'), 5]],
    [T.variant, 1, [labelHash('Callback'), 6]],
    [T.opt, 7],
  ];
  const isTokenFirst = labelHash('token') < labelHash('callback');
  if (!isTokenFirst) types[6 - 1] = [T.record, 2, [labelHash('callback'), 5], [labelHash('token'), 4]];
  const callback = [1, 1, blob(canisterId), text('next')];
  const values = isTokenFirst ? [text('0'), callback] : [callback, text('0')];
  const strategy: Field = { name: 'streaming_strategy', type: 8, value: [1, 0, values] };
  return message(types, [status, headersField(headers), bodyField(body), strategy]);
}

/** One more piece; `next` is the token of the one after it, a digit (see `scripted-canister.ts`). */
export function piece(body: Uint8Array, next?: string): Uint8Array {
  return message(
    [
      [T.vec, T.nat8],
      [T.record, 1, labelHash('key'), T.text],
      [T.opt, 2],
    ],
    [
      { name: 'body', type: 1, value: blob(body) },
      { name: 'token', type: 3, value: next === undefined ? 0 : [1, text(next)] },
    ],
  );
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** An `IC-Certificate` header; the certificate is that of a network, or made up. */
export function certificateHeader(
  certificate: Uint8Array,
  tree: HashTree,
  path: readonly string[] = ['http_expr', '<*>'],
  version = 2,
): Header {
  const fields = [
    `certificate=:${base64(certificate)}:`,
    `tree=:${base64(encodeCbor(treeToCbor(tree)))}:`,
    `expr_path=:${base64(encodeCbor(path))}:`,
    `version=${version}`,
  ];
  return ['IC-Certificate', fields.join(', ')];
}
