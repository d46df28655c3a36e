import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Budget } from '@cannery/ic/budget';
import { CandidError } from '@cannery/candid/errors';
import * as messages from './http-messages.ts';
import { encodeHttpRequest } from './http-messages.ts';
import { THREAD_LIMITS } from '../reading/read-answer.ts';

const decodeHttpResponse = (reply: Uint8Array): messages.CanisterHttpResponse =>
  messages.decodeHttpResponse(reply, new Budget(THREAD_LIMITS));
const decodeStreamedChunk = (reply: Uint8Array): messages.StreamedChunk | undefined =>
  messages.decodeStreamedChunk(reply, new Budget(THREAD_LIMITS));

const Headers = IDL.Vec(IDL.Tuple(IDL.Text, IDL.Text));
const Blob = IDL.Vec(IDL.Nat8);
const Update = { method: IDL.Text, url: IDL.Text, headers: Headers, body: Blob };
const Request = IDL.Record({ ...Update, certificate_version: IDL.Opt(IDL.Nat16) });
const Token = IDL.Record({ key: IDL.Text, index: IDL.Nat, path: IDL.Vec(IDL.Opt(IDL.Text)) });
const Callback = IDL.Func([Token], [], ['query']);
const Strategy = IDL.Variant({ Callback: IDL.Record({ callback: Callback, token: Token }) });
const fields = {
  status_code: IDL.Nat16,
  headers: Headers,
  body: Blob,
  upgrade: IDL.Opt(IDL.Bool),
  streaming_strategy: IDL.Opt(Strategy),
};
const Response = IDL.Record(fields);
const encode = (type: IDL.Type, value: unknown): Uint8Array => new Uint8Array(IDL.encode([type], [value]));
const canister = Principal.fromUint8Array(Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0, 1, 1));
const token = { key: 'big.bin', index: 123_456_789_012n, path: [['a'], []] };
const page = { status_code: 200, headers: [], body: new Uint8Array(), upgrade: [], streaming_strategy: [] };

const headers = fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 5 });

test('requests are what a Candid library reads', () => {
  fc.assert(
    fc.property(fc.string(), headers, fc.uint8Array(), (url, all, body) => {
      const request = { method: 'POST', url, headers: all, body };
      const [read] = IDL.decode([Request], new Uint8Array(encodeHttpRequest(request, 'query')));
      expect(read).toEqual({ ...request, certificate_version: [2] });
      const [update] = IDL.decode([IDL.Record(Update)], new Uint8Array(encodeHttpRequest(request, 'update')));
      expect(update).toEqual(request);
    }),
  );
});

test('responses of a Candid library are read', () => {
  fc.assert(
    fc.property(
      fc.nat(65_535),
      headers,
      fc.uint8Array(),
      fc.option(fc.boolean()),
      (status, all, body, upgrade) => {
        const value = {
          ...page,
          status_code: status,
          headers: all,
          body,
          upgrade: upgrade === null ? [] : [upgrade],
        };
        expect(decodeHttpResponse(encode(Response, value))).toEqual({
          status,
          headers: all,
          body,
          upgrade: upgrade ?? false,
          streaming: undefined,
        });
      },
    ),
  );
});

test('fields the gateway does not know, and types that are not as expected in optional ones, are passed over', () => {
  const strange = IDL.Record({
    status_code: IDL.Nat16,
    headers: Headers,
    body: Blob,
    upgrade: IDL.Opt(IDL.Text),
    extra: IDL.Variant({ a: IDL.Tuple(IDL.Int, IDL.Float64, IDL.Principal, IDL.Func([], [], [])) }),
  });
  const value = { ...page, upgrade: ['yes'], extra: { a: [-5n, 1.5, canister, [canister, 'm']] } };
  expect(decodeHttpResponse(encode(strange, value))).toMatchObject({ status: 200, upgrade: false });
});

test('the token goes back to the canister byte for byte, in the type the canister gave it', () => {
  const strategy = [{ Callback: { callback: [canister, 'next'], token } }];
  const { streaming } = decodeHttpResponse(encode(Response, { ...page, streaming_strategy: strategy }));
  expect(streaming?.method).toBe('next');
  expect(streaming && Principal.fromUint8Array(streaming.canisterId).toText()).toBe(canister.toText());
  expect(streaming && IDL.decode([Token], new Uint8Array(streaming.arg))).toEqual([token]);
});

describe('streamed chunks', () => {
  const Chunk = IDL.Record({ body: Blob, token: IDL.Opt(Token) });
  const chunk = { body: Uint8Array.of(1, 2), token: [token] };

  test.each([
    ['bare', encode(Chunk, chunk)],
    ['optional', encode(IDL.Opt(Chunk), [chunk])],
  ])('%s', (_form, reply) => {
    const read = decodeStreamedChunk(reply);
    expect(read?.body).toEqual(chunk.body);
    expect(read?.nextArg && IDL.decode([Token], new Uint8Array(read.nextArg))).toEqual([token]);
  });

  test('the last one has no token, and none at all ends the stream', () => {
    expect(decodeStreamedChunk(encode(Chunk, { ...chunk, token: [] }))?.nextArg).toBeUndefined();
    expect(decodeStreamedChunk(encode(IDL.Opt(Chunk), []))).toBeUndefined();
  });
});

describe('answers that are no web page are refused', () => {
  test.each([
    ['no Candid', Buffer.from('hello')],
    ['another type', encode(IDL.Text, 'hello')],
    ['a missing field', encode(IDL.Record({ status_code: IDL.Nat16 }), { status_code: 200 })],
    ['a wrong field', encode(IDL.Record({ status_code: IDL.Text }), { status_code: '200' })],
    ['nothing', new Uint8Array(IDL.encode([], []))],
  ])('%s', (_name, reply) => {
    expect(() => decodeHttpResponse(reply)).toThrow(CandidError);
  });

  test('a page cut short anywhere', () => {
    const strategy = [{ Callback: { callback: [canister, 'next'], token } }];
    const whole = encode(Response, { ...page, headers: [['a', 'b']], streaming_strategy: strategy });
    for (let length = 0; length < whole.length; length += 1) {
      expect(() => decodeHttpResponse(whole.subarray(0, length))).toThrow(CandidError);
    }
  });

  const Wide = IDL.Record({ ...fields, _0_: IDL.Null, _1_: IDL.Null, note: IDL.Opt(IDL.Text) });
  const wide = encode(Wide, { ...page, _0_: null, _1_: null, note: ['xyzzy'] });
  const changed = (bytes: readonly number[], at: number, others: readonly number[]): Uint8Array => {
    const copy = wide.slice();
    const place = Buffer.from(copy).indexOf(Uint8Array.from(bytes));
    expect(place).toBeGreaterThan(0);
    copy.set(others, place + at);
    return copy;
  };
  const note = [...Buffer.from('xyzzy')];

  test('fields that nobody asked for are passed over', () => {
    expect(decodeHttpResponse(wide).status).toBe(200);
  });

  test.each([
    ['a text that is not UTF-8', changed(note, 0, [0xff]), 'not valid UTF-8'],
    ['a flag of 2', changed([1, 5, ...note], 0, [2]), 'neither 0 nor 1'],
    ['fields out of order', changed([0, 0x7f, 1, 0x7f], 0, [1, 0x7f, 0]), 'not in their order'],
  ])('also in a field that nobody asked for: %s', (_name, reply, reason) => {
    expect(() => decodeHttpResponse(reply)).toThrow(reason);
  });

  test('a small message that claims endless values', () => {
    const bomb = Buffer.from('4449444c026c01b7b8a0b20c016d7f0100ffffffff0f', 'hex');
    expect(() => decodeHttpResponse(bomb)).toThrow('too many values');
  });
});
