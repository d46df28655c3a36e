import { expect, test } from 'vitest';
import { running, trapKind } from '../../test/wasm.ts';
import { trapOf } from './trap.ts';

test.each([
  ['unreachable', 'unreachable'],
  ['(drop (i32.div_s (i32.const 1) (i32.const 0)))', 'divide-by-zero'],
  ['(drop (i64.rem_u (i64.const 1) (i64.const 0)))', 'divide-by-zero'],
  ['(drop (i32.div_s (i32.const 0x80000000) (i32.const -1)))', 'integer-overflow'],
  ['(drop (i32.trunc_f64_s (f64.const nan)))', 'invalid-conversion'],
  ['(drop (i32.load (i32.const -8)))', 'out-of-bounds'],
  ['(call_indirect (i32.const 9))', 'table-out-of-bounds'],
  ['(call_indirect (param i32) (i32.const 1) (i32.const 0))', 'indirect-call-mismatch'],
  ['(call $f)', 'stack-overflow'],
])('%s traps as %s', (code, kind) => {
  const instance = running(
    `(module (memory 1) (table 1 funcref) (elem (i32.const 0) $f) (func $f (export "f") ${code}))`,
    {
      instructions: 1_000_000_000n,
    },
  );
  expect(trapKind(() => instance.call('f'))).toBe(kind);
  instance.rollback();
});

test('a call of the wrong type is told by the wording of each V8 that runs canisters', () => {
  for (const wording of ['function signature mismatch', 'null function or function signature mismatch'])
    expect(trapOf(new WebAssembly.RuntimeError(wording), false)?.kind).toBe('indirect-call-mismatch');
});
