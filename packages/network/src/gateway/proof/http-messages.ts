import type { Budget } from '@cannery/ic/budget';
import { encodeLeb128, utf8 } from '@cannery/ic/certification/bytes';
import { CandidError } from '@cannery/candid/errors';
import { Op, WireMessage } from '@cannery/candid/wire-message';
import { labelHash } from '@cannery/candid/label';
import { AnswerCosts } from './answer-costs.ts';

/** One HTTP header; a name may come more than once. */
export type Header = readonly [name: string, value: string];

/** The values of a header, whatever the case of its name; `name` is in lower case. */
export function headerValues(headers: readonly Header[], name: string): readonly string[] {
  return headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
}

/** The first value of a header, see `headerValues`. */
export function headerValue(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1];
}

/** A request as the canister gets it. */
export interface CanisterHttpRequest {
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly url: string;
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
}

/** Where the rest of a body comes from: a query method of the canister and the argument to call it with. */
export interface StreamingCallback {
  readonly canisterId: Uint8Array;
  readonly method: string;
  /** A Candid message with the canister's own token in the canister's own type. */
  readonly arg: Uint8Array;
}

/** What the canister answered, before streaming. */
export interface CanisterHttpResponse {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
  readonly upgrade: boolean;
  readonly streaming: StreamingCallback | undefined;
}

const FIELD = {
  status_code: labelHash('status_code'),
  headers: labelHash('headers'),
  body: labelHash('body'),
  upgrade: labelHash('upgrade'),
  streaming_strategy: labelHash('streaming_strategy'),
  Callback: labelHash('Callback'),
  callback: labelHash('callback'),
  token: labelHash('token'),
};

/** Most headers a response may have, and most bytes of their names and values together: browsers take no more. */
const MAX_HEADERS = 256;
const MAX_HEADER_BYTES = 128 * 1024;
/** Longest name of a header, in characters; the longest in use have about forty. */
const MAX_HEADER_NAME = 256;
/** Longest argument of a streaming callback, in bytes: a token says where a body goes on. */
const MAX_TOKEN_BYTES = 64 * 1024;

/** The version of response verification that the gateway asks for. */
const CERTIFICATE_VERSION = 2;

// Type table of the request: 0 is the request, 1 a blob, 2 the headers, 3 one header, 4 an optional nat16.
const TYPE_OPT_NAT16 = 4;
const TABLE_TAIL = [
  [Op.vec, Op.nat8],
  [Op.vec, 3],
  [Op.record, 2, 0, Op.text, 1, Op.text],
  [Op.opt, Op.nat16],
].map((entry) => Uint8Array.from(entry, (number) => number & 0x7f));

type FieldName = 'method' | 'url' | 'headers' | 'body' | 'certificate_version';

const FIELD_TYPES: Readonly<Record<FieldName, number>> = {
  method: Op.text,
  url: Op.text,
  headers: 2,
  body: 1,
  certificate_version: TYPE_OPT_NAT16,
};

/** The part of a request message before its values, and the order of those. */
interface MessageShape {
  readonly start: Uint8Array;
  readonly order: readonly FieldName[];
}

const QUERY_SHAPE = shapeOf(['method', 'url', 'headers', 'body', 'certificate_version']);
/** `http_request_update` has no certificate version. */
const UPDATE_SHAPE = shapeOf(['method', 'url', 'headers', 'body']);

function shapeOf(names: readonly FieldName[]): MessageShape {
  const order = names.toSorted((a, b) => labelHash(a) - labelHash(b));
  const types = order.flatMap((name) => [
    encodeLeb128(labelHash(name)),
    Uint8Array.of(FIELD_TYPES[name] & 0x7f),
  ]);
  const start = Buffer.concat([
    utf8('DIDL'),
    Uint8Array.of(TABLE_TAIL.length + 1, Op.record & 0x7f, order.length),
    ...types,
    ...TABLE_TAIL,
    Uint8Array.of(1, 0),
  ]);
  return { start, order };
}

/** The argument of `http_request` or of `http_request_update`. */
export function encodeHttpRequest(request: CanisterHttpRequest, purpose: 'query' | 'update'): Uint8Array {
  const { start, order } = purpose === 'query' ? QUERY_SHAPE : UPDATE_SHAPE;
  const values: Readonly<Record<FieldName, Uint8Array>> = {
    method: encodeText(request.method),
    url: encodeText(request.url),
    headers: encodeHeaders(request.headers),
    body: withLength(request.body),
    certificate_version: Uint8Array.of(1, CERTIFICATE_VERSION, 0),
  };
  return Buffer.concat([start, ...order.map((name) => values[name])]);
}

function encodeText(text: string): Uint8Array {
  return withLength(utf8(text));
}

function withLength(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([encodeLeb128(bytes.length), bytes]);
}

function encodeHeaders(headers: readonly Header[]): Uint8Array {
  const pairs = headers.flatMap(([name, value]) => [encodeText(name), encodeText(value)]);
  return Buffer.concat([encodeLeb128(headers.length), ...pairs]);
}

/** Reads the answer of `http_request` or `http_request_update`. Throws `CandidError` or `BudgetError`. */
export function decodeHttpResponse(reply: Uint8Array, budget: Budget): CanisterHttpResponse {
  const message = new WireMessage(reply, new AnswerCosts(budget));
  const response: { -readonly [Key in keyof CanisterHttpResponse]?: CanisterHttpResponse[Key] } = {};
  const handlers = new Map<number, (type: number) => void>([
    [
      FIELD.status_code,
      (type) => {
        if (type !== Op.nat16) throw new CandidError('status_code must be a nat16');
        response.status = message.reader.byte() | (message.reader.byte() << 8);
      },
    ],
    [FIELD.headers, (type) => (response.headers = readHeaders(message, type))],
    [FIELD.body, (type) => (response.body = message.blob(type))],
    [
      FIELD.upgrade,
      (type) => {
        const content = message.option(type);
        if (content !== undefined) response.upgrade = message.skip(content)[0] === 1 && content === Op.bool;
      },
    ],
    [FIELD.streaming_strategy, (type) => (response.streaming = readStrategy(message, type))],
  ]);
  message.record(message.types[0] ?? Op.empty, handlers);
  const { status, headers, body } = response;
  if (status === undefined || !headers || !body) {
    throw new CandidError('status_code, headers and body are required');
  }
  return { status, headers, body, upgrade: response.upgrade ?? false, streaming: response.streaming };
}

function readHeaders(message: WireMessage, type: number): Header[] {
  const pair = message.contentType(type, Op.vec);
  if (pair === undefined) throw new CandidError('headers must be a vec');
  let bytes = 0;
  const take = (text: number): string => {
    const start = message.reader.offset;
    const value = message.text(text);
    bytes += message.reader.offset - start;
    if (bytes > MAX_HEADER_BYTES)
      throw new CandidError(`its headers take more than ${MAX_HEADER_BYTES} bytes`);
    return value;
  };
  let name = '';
  let value = '';
  const handlers = new Map<number, (type: number) => void>([
    [0, (text) => (name = take(text))],
    [1, (text) => (value = take(text))],
  ]);
  return message.list(() => {
    [name, value] = ['', ''];
    message.record(pair, handlers);
    if (name.length > MAX_HEADER_NAME) throw new CandidError('the name of a header is too long');
    return [name, value] as const;
  }, MAX_HEADERS);
}

function readStrategy(message: WireMessage, type: number): StreamingCallback | undefined {
  const content = message.option(type);
  if (content === undefined) return undefined;
  const variant = message.entry(content, Op.variant);
  const chosen = variant?.fields[message.reader.count()];
  if (chosen?.hash !== FIELD.Callback) throw new CandidError('the streaming strategy is unknown');
  let canisterId: Uint8Array | undefined;
  let method = '';
  let arg: Uint8Array | undefined;
  const handlers = new Map<number, (type: number) => void>([
    [
      FIELD.callback,
      (func) => {
        if (!message.entry(func, Op.func) || !message.reader.flag()) {
          throw new CandidError('the streaming callback must be a function');
        }
        canisterId = message.reader.principal();
        method = message.reader.text();
      },
    ],
    [FIELD.token, (token) => (arg = readToken(message, token))],
  ]);
  message.record(chosen.type, handlers);
  if (!canisterId || !arg) throw new CandidError('the streaming strategy has no callback or no token');
  return { canisterId, method, arg };
}

function readToken(message: WireMessage, type: number): Uint8Array {
  const arg = message.quote(type, message.skip(type));
  if (arg.length > MAX_TOKEN_BYTES) throw new CandidError('the streaming token is too long');
  return arg;
}

/** One more piece of a body, and the argument for the next one, if there is one. */
export interface StreamedChunk {
  readonly body: Uint8Array;
  /** In a separate buffer: it outlives the body. */
  readonly nextArg: Uint8Array | undefined;
}

/** Reads the answer of a streaming callback, with or without the `opt` around it. Throws `CandidError` or `BudgetError`. */
export function decodeStreamedChunk(reply: Uint8Array, budget: Budget): StreamedChunk | undefined {
  const message = new WireMessage(reply, new AnswerCosts(budget));
  let type: number | undefined = message.types[0] ?? Op.empty;
  if (message.entry(type, Op.opt)) type = message.option(type);
  if (type === undefined) return undefined;
  let body: Uint8Array | undefined;
  let nextArg: Uint8Array | undefined;
  const handlers = new Map<number, (type: number) => void>([
    [FIELD.body, (blob) => (body = message.blob(blob))],
    [
      FIELD.token,
      (option) => {
        const token = message.option(option);
        if (token !== undefined) nextArg = readToken(message, token);
      },
    ],
  ]);
  message.record(type, handlers);
  if (!body) throw new CandidError('a streamed chunk has no body');
  return { body, nextArg };
}
