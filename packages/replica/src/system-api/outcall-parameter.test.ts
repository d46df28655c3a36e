import { IDL } from '@icp-sdk/core/candid';
import { expect, test } from 'vitest';
import { FEE_SCHEDULES } from '../cycles/fee-schedule.ts';
import { Fees } from '../cycles/fees.ts';
import { readOutcallParameter } from './outcall-parameter.ts';

const fees = new Fees(FEE_SCHEDULES['docs-2026-08']);

function price(parameter: Uint8Array): bigint {
  const { usage: used, replication } = readOutcallParameter(parameter);
  return fees.httpOutcall(used, replication);
}

const usage = {
  request_bytes: 100n,
  http_roundtrip_time_ms: 2_000n,
  raw_response_bytes: 1_000n,
  transformed_response_bytes: 500n,
  transform_instructions: 26n,
};
const fields = Object.fromEntries(Object.keys(usage).map((name) => [name, IDL.Nat64]));
const encode = (type: IDL.Type, value: unknown): Uint8Array => new Uint8Array(IDL.encode([type], [value]));

test('the parameter is read with and without the kind of outcall', () => {
  const full = 38_482_600n + 13n * 650_002n + 4_745_000n;
  expect(price(encode(IDL.Record(fields), usage))).toBe(full);
  const Kind = IDL.Variant({ fully_replicated: IDL.Reserved, non_replicated: IDL.Reserved });
  const typed = IDL.Record({ ...fields, outcall_type: IDL.Opt(Kind) });
  expect(price(encode(typed, { ...usage, outcall_type: [{ fully_replicated: null }] }))).toBe(full);
  expect(price(encode(typed, { ...usage, outcall_type: [{ non_replicated: null }] }))).toBeLessThan(full);
});

test('what is no such parameter is refused at once', () => {
  expect(() => price(Uint8Array.of(1, 2, 3))).toThrow('begins with "DIDL"');
  expect(() => price(encode(IDL.Record({}), {}))).toThrow();
  // An additional field that claims four thousand million values of no bytes.
  const bomb = Uint8Array.from([
    ...Buffer.from('DIDL'),
    2,
    0x6c,
    1,
    0,
    1,
    0x6d,
    0x7f,
    1,
    0,
    0xff,
    0xff,
    0xff,
    0xff,
    0x0f,
  ]);
  expect(() => price(bomb)).toThrow('too complex');
});
