import { describe, expect, test } from 'vitest';
import { contextOf, enteredCode } from '../../../test/canisters/entered-canister.ts';
import { run } from './run.ts';

const IMPORTS = `
  (import "ic0" "msg_arg_data_copy" (func $arg (param i32 i32 i32)))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (import "ic0" "msg_reject" (func $reject (param i32 i32)))
  (import "ic0" "debug_print" (func $print (param i32 i32)))
  (import "ic0" "call_new" (func $new (param i32 i32 i32 i32 i32 i32 i32 i32)))
  (import "ic0" "call_data_append" (func $data (param i32 i32)))
  (import "ic0" "call_perform" (func $perform (result i32)))
  (import "ic0" "canister_cycle_balance128" (func $balance (param i32)))
  (import "ic0" "is_controller" (func $controller (param i32 i32) (result i32)))
  (import "ic0" "performance_counter" (func $counter (param i32) (result i64)))
  (import "ic0" "stable64_grow" (func $grow (param i64) (result i64)))
  (import "ic0" "stable64_size" (func $size (result i64)))
  (import "ic0" "stable64_write" (func $write (param i64 i64 i64)))
  (import "ic0" "stable64_read" (func $read (param i64 i64 i64)))`;

/** Instructions of one message whose code this is. */
function cost(code: string, stablePages = 0): bigint {
  const canister = enteredCode(`(module ${IMPORTS} (memory 2) (func (export "f") ${code}))`, stablePages);
  const { error, instructions } = run(canister, contextOf('U'), () => canister.instance.call('f'));
  expect(error).toBeUndefined();
  canister.rollback();
  return instructions;
}

const ENTRY = 1n;
const CALL = 5n;
const DROP = 1n;

/** Figures of the replica, added up by hand: constants 1 each, `call` 5, then the function of the system. */
describe('a message costs its instructions, its system calls and the bytes they move', () => {
  const cases: readonly (readonly [name: string, code: string, expected: bigint])[] = [
    [
      'an argument is copied for 1 a byte',
      '(call $arg (i32.const 0) (i32.const 0) (i32.const 90))',
      3n + 500n + 90n,
    ],
    ['a reply leaves for 50 a byte', '(call $append (i32.const 0) (i32.const 90))', 2n + 500n + 50n * 90n],
    ['so does a rejection', '(call $reject (i32.const 0) (i32.const 90))', 2n + 500n + 50n * 90n],
    ['a 128-bit amount is not paid by the byte', '(call $balance (i32.const 0))', 1n + 500n],
    [
      'printing pays for the log',
      '(call $print (i32.const 0) (i32.const 100))',
      2n + 100n + 2n * 100n + 50n * 100n,
    ],
    [
      'more than the log holds is not paid for',
      '(call $print (i32.const 0) (i32.const 100000))',
      2n + 100n + 2n * 4_096n + 50n * 4_096n,
    ],
    [
      'stable64_write pays 1 000 a new page',
      '(call $write (i64.const 4095) (i64.const 0) (i64.const 2))',
      3n + 20n + 2n + 2_000n,
    ],
    [
      'stable64_read pays its bytes',
      '(call $read (i64.const 0) (i64.const 0) (i64.const 5000))',
      3n + 20n + 5_000n,
    ],
    [
      'copying nothing is allowed anywhere',
      '(call $read (i64.const -1) (i64.const -1) (i64.const 0))',
      3n + 20n,
    ],
  ];
  test.each(cases)('%s', (_name, code, expected) => {
    expect(cost(code, 1)).toBe(ENTRY + CALL + expected);
  });

  test('a page of stable memory is paid for once a message', () => {
    const write = '(call $write (i64.const 0) (i64.const 0) (i64.const 1))';
    expect(cost(write + write, 1)).toBe(ENTRY + 2n * (3n + CALL + 20n + 1n) + 1_000n);
  });

  test('the size of the stable memory is free, growing it costs 100', () => {
    expect(cost('(drop (call $size))')).toBe(ENTRY + CALL + DROP);
    expect(cost('(drop (call $grow (i64.const 1)))')).toBe(ENTRY + 1n + CALL + 100n + DROP);
  });

  test('a second line in the log pays for the room that is left', () => {
    const print = '(call $print (i32.const 0) (i32.const 4000))';
    // The first takes 4,000 bytes and a header of 16 of the 4,096.
    const [first, second] = [2n * 4_000n + 50n * 4_000n, 2n * 4_000n + 50n * 80n];
    expect(cost(print + print)).toBe(ENTRY + 2n * (2n + CALL + 100n) + first + second);
  });

  test('a call to another canister', () => {
    const eight =
      '(i32.const 0) (i32.const 10) (i32.const 0) (i32.const 5) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0)';
    const code = `(call $new ${eight}) (call $data (i32.const 0) (i32.const 30)) (drop (call $perform))`;
    const news = 8n + CALL + 1_500n + 15n;
    const data = 2n + CALL + 500n + 50n * 30n;
    expect(cost(code)).toBe(ENTRY + news + data + CALL + 5_000n + DROP);
  });

  test('is_controller pays for the principal', () => {
    expect(cost('(drop (call $controller (i32.const 0) (i32.const 10)))')).toBe(
      ENTRY + 2n + CALL + 1_000n + 10n + DROP,
    );
  });
});

test('the performance counter shows what was used up to its call, the call included', () => {
  const canister = enteredCode(`(module ${IMPORTS} (memory 1) (func (export "f")
    (i64.store (i32.const 0) (call $counter (i32.const 0))) (i64.store (i32.const 8) (call $counter (i32.const 1)))))`);
  run(canister, { ...contextOf('U'), contextInstructions: 7_000n }, () => canister.instance.call('f'));
  const [first, second] = new BigUint64Array(canister.read(0, 16).buffer);
  // The whole block is paid for on entry: 1, constants 4, calls 10, stores 2; then 200 for each call of the counter.
  expect(first).toBe(17n + 200n);
  expect(second).toBe(17n + 400n + 7_000n);
  canister.rollback();
});

test('a call for more bytes than there are instructions ends with the limit, before anything is copied', () => {
  const canister = enteredCode(
    `(module ${IMPORTS} (memory 2) (func (export "f") (call $append (i32.const 0) (i32.const 100000))))`,
  );
  const context = contextOf('U', { instructionLimit: 1_000_000n });
  const { error, instructions } = run(canister, context, () => canister.instance.call('f'));
  expect(error?.errorCode).toBe('IC0522');
  expect(instructions).toBe(1_000_000n);
});
