import { encode } from 'cborg';

/** The time at which these requests are made, in nanoseconds. */
const NOW = BigInt(Date.now()) * 1_000_000n;

/** An ordinary request. */
export const content = {
  request_type: 'call',
  canister_id: new Uint8Array(10).fill(1),
  method_name: 'm',
  arg: new Uint8Array(8),
  sender: Uint8Array.of(4),
  ingress_expiry: NOW + 60_000_000_000n,
};
const head = (type: number, count: number): Buffer => {
  const bytes = Buffer.alloc(5);
  bytes[0] = (type << 5) | 26;
  bytes.writeUInt32BE(count, 1);
  return bytes;
};
const text = (word: string): Buffer => Buffer.from(encode(word));

/** The content with one more field, put together by hand, or an envelope with one. */
export function withField(
  name: string,
  value: Uint8Array,
  where: 'content' | 'envelope' = 'content',
): Buffer {
  const map = (fields: Record<string, unknown>, more: readonly Uint8Array[]): Buffer =>
    Buffer.concat([
      Buffer.of(0xa0 + Object.keys(fields).length + more.length / 2),
      ...Object.entries(fields).flatMap(([key, each]) => [text(key), Buffer.from(encode(each))]),
      ...more,
    ]);
  const field = [text(name), value];
  if (where === 'envelope') return map({ content }, field);
  const { request_type: _, ...rest } = content;
  const type = name === 'paths' ? 'read_state' : 'call';
  return Buffer.concat([Buffer.of(0xa1), text('content'), map({ request_type: type, ...rest }, field)]);
}

export const list = (count: number, item: Uint8Array): Buffer =>
  Buffer.concat([head(4, count), Buffer.alloc(count * item.length, item)]);
export const bytes = (length: number): Buffer => Buffer.concat([head(2, length), Buffer.alloc(length, 7)]);
export const EMPTY_MAP = Buffer.of(0xa0);
const delegation = (targets: number): Buffer =>
  Buffer.concat([
    Buffer.of(0xa2),
    text('signature'),
    Buffer.from(encode(new Uint8Array(64))),
    text('delegation'),
    Buffer.of(0xa3),
    text('pubkey'),
    Buffer.from(encode(new Uint8Array(44))),
    text('expiration'),
    Buffer.from(encode(NOW)),
    text('targets'),
    list(targets, Buffer.from(encode(new Uint8Array(10)))),
  ]);

/** Everything a stranger can make large or deep in a request, as big as a body may be. */
export const hostileEnvelopes: Readonly<Record<string, (size: number) => Buffer>> = {
  'empty maps in a field nobody knows': (size) => withField('x', list(size, EMPTY_MAP)),
  'empty maps for labels of paths': (size) => withField('paths', list(size, EMPTY_MAP)),
  'empty maps for delegations': (size) => withField('sender_delegation', list(size, EMPTY_MAP), 'envelope'),
  'empty maps beside the content': (size) => withField('x', list(size, EMPTY_MAP), 'envelope'),
  'empty maps for the whole request': (size) => list(size, EMPTY_MAP),
  'numbers in a field nobody knows': (size) => withField('x', list(size, Buffer.of(1))),
  'empty lists in a field nobody knows': (size) => withField('x', list(size, Buffer.of(0x80))),
  'a list without a length': (size) =>
    withField('x', Buffer.concat([Buffer.of(0x9f), Buffer.alloc(size, 1), Buffer.of(0xff)])),
  'lists without a length in each other': (size) => withField('x', Buffer.alloc(size, 0x9f)),
  'lists in each other': (size) => withField('x', Buffer.alloc(size, 0x81)),
  'maps in each other': (size) => withField('x', Buffer.alloc(size, Buffer.of(0xa1, 0x60))),
  'marks of CBOR before the request': (size) => Buffer.alloc(size, Buffer.of(0xd9, 0xd9, 0xf7)),
  'marks of CBOR before a value': (size) =>
    withField('x', Buffer.concat([Buffer.alloc(size, Buffer.of(0xd9, 0xd9, 0xf7)), Buffer.of(1)])),
  'paths of empty labels': (size) =>
    withField('paths', list(Math.ceil(size / 128), list(127, Buffer.of(0x40)))),
  'empty paths': (size) => withField('paths', list(size, Buffer.of(0x80))),
  'one long path': (size) => withField('paths', list(1, list(size, Buffer.of(0x40)))),
  'many fields': (size) =>
    Buffer.concat([
      Buffer.of(0xa1),
      text('content'),
      head(5, Math.ceil(size / 8)),
      ...Array.from({ length: Math.ceil(size / 8) }, (_, index) =>
        Buffer.concat([text(`f${index}`), Buffer.of(1)]),
      ),
    ]),
  'many delegations': (size) =>
    withField('sender_delegation', list(Math.ceil(size / 100), delegation(1)), 'envelope'),
  'targets of a delegation': (size) =>
    withField('sender_delegation', list(1, delegation(Math.ceil(size / 11))), 'envelope'),
  'targets of twenty delegations': (size) =>
    withField('sender_delegation', list(20, delegation(Math.ceil(size / 220))), 'envelope'),
  'a long argument': (size) => withField('x', bytes(size)),
  'a long key': (size) => withField('sender_pubkey', bytes(size), 'envelope'),
  'a long signature': (size) => withField('sender_sig', bytes(size), 'envelope'),
  'a long name of a field': (size) =>
    withField('x', Buffer.concat([Buffer.of(1), head(3, size), Buffer.alloc(size, 97)])),
  'a long text': (size) => withField('x', Buffer.concat([head(3, size), Buffer.alloc(size, 97)])),
  'a long method name': (size) =>
    withField('method_name', Buffer.concat([head(3, size), Buffer.alloc(size, 97)])),
  'a long nonce': (size) => withField('nonce', bytes(size)),
  'information about the sender': (size) =>
    withField('sender_info', Buffer.concat([Buffer.of(0xa1), text('x'), list(size, EMPTY_MAP)])),
};
