import { describe, expect, test } from 'vitest';
import { WasmTrap } from './instance/trap.ts';
import { running } from '../test/wasm.ts';

function cost(source: string, name = 'f'): bigint {
  const instance = running(source);
  instance.call(name);
  const used = instance.instructionsUsed();
  instance.rollback();
  return used;
}

const memory32 = '(memory 1)';
const memory64 = '(memory i64 1)';
const body = (code: string, memory = memory32): string => `(module ${memory} (func (export "f") ${code}))`;

describe('the weight of straight-line code is the function entry plus each instruction', () => {
  const cases: readonly (readonly [name: string, code: string, weight: bigint])[] = [
    ['an empty function', '', 1n],
    ['constant and drop', 'i32.const 1 drop', 3n],
    ['integer addition', '(drop (i32.add (i32.const 1) (i32.const 2)))', 5n],
    ['integer division', '(drop (i64.div_u (i64.const 7) (i64.const 2)))', 14n],
    ['load', '(drop (i32.load (i32.const 0)))', 4n],
    ['store', '(i32.store (i32.const 0) (i32.const 1))', 4n],
    ['memory.size', '(drop (memory.size))', 22n],
    ['memory.grow', '(drop (memory.grow (i32.const 0)))', 303n],
    ['float square root', '(drop (f64.sqrt (f64.const 2)))', 11n],
    ['float to integer', '(drop (i32.trunc_f32_s (f32.const 2)))', 23n],
    ['saturating truncation', '(drop (i32.trunc_sat_f32_s (f32.const 2)))', 23n],
    ['unsigned integer to float', '(drop (f32.convert_i32_u (i32.const 2)))', 19n],
    ['sign extension', '(drop (i32.extend8_s (i32.const 2)))', 4n],
    ['vector division', '(drop (f64x2.div (v128.const i64x2 1 1) (v128.const i64x2 1 1)))', 16n],
    [
      'shuffle',
      '(drop (i8x16.shuffle 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 (v128.const i64x2 1 1) (v128.const i64x2 1 1)))',
      7n,
    ],
    ['vector store', '(v128.store (i32.const 0) (v128.const i64x2 1 1))', 4n],
    [
      'memory.fill of 7 bytes',
      '(memory.fill (i32.const 0) (i32.const 1) (i32.const 7))',
      1n + 3n + 100n + 7n,
    ],
    [
      'memory.copy of 9 bytes',
      '(memory.copy (i32.const 0) (i32.const 1) (i32.const 9))',
      1n + 3n + 100n + 9n,
    ],
  ];
  test.each(cases)('%s', (_name, code, weight) => {
    expect(cost(body(code))).toBe(weight);
  });
});

test('loads and stores weigh 2 with 64-bit addresses, and bulk operations still charge their size', () => {
  expect(cost(body('(i64.store (i64.const 0) (i64.load (i64.const 8)))', memory64))).toBe(1n + 2n + 2n + 2n);
  expect(cost(body('(memory.fill (i64.const 0) (i32.const 1) (i64.const 70))', memory64))).toBe(
    1n + 3n + 100n + 70n,
  );
});

test('memory.init charges a 32-bit size, and dropping a segment 300', () => {
  const source = `(module (memory i64 1) (table 4 funcref) (data $d "abcdef") (elem $e func $f $f)
    (func $f (export "f") (memory.init $d (i64.const 0) (i32.const 1) (i32.const 3)) (data.drop $d) (elem.drop $e)))`;
  expect(cost(source)).toBe(1n + 3n + 100n + 3n + 300n + 300n);
});

test('what reads tables and functions: table.get 5, table.size 100, ref.func 130, ref.is_null 5', () => {
  const source = `(module (table 1 funcref) (elem (i32.const 0) $f)
    (func $f (export "f") (drop (ref.is_null (table.get (i32.const 0)))) (drop (table.size)) (drop (ref.func $f))
      (drop (ref.is_null (ref.null func)))))`;
  // entry 1; const 1, get 5, is_null 5, drop 1; size 100, drop 1; func 130, drop 1; null 1, is_null 5, drop 1
  expect(cost(source)).toBe(1n + 12n + 101n + 131n + 7n);
});

test('select weighs 1 with and without a type', () => {
  const select = (type: string): bigint =>
    cost(body(`(drop (select ${type} (i32.const 1) (i32.const 2) (i32.const 0)))`));
  expect(select('')).toBe(1n + 3n + 1n + 1n);
  expect(select('(result i32)')).toBe(1n + 3n + 1n + 1n);
});

test('what makes a NaN canonical is not paid for', () => {
  expect(cost(body('(drop (f64.div (f64.const 0) (f64.const 0)))'))).toBe(1n + 2n + 5n + 1n);
});

test('only the branch that is taken is paid for', () => {
  const source = (condition: number): string =>
    body(
      `(if (i32.const ${condition}) (then (drop (i32.const 1)) (drop (i32.const 1))) (else (drop (i32.const 1))))`,
    );
  // entry 1, condition 1, if 2
  expect(cost(source(1))).toBe(4n + 4n);
  expect(cost(source(0))).toBe(4n + 2n);
});

test('a loop pays for each turn, and what follows a branch is not paid for when it is taken', () => {
  const source = body(`(local i32)
    (local.set 0 (i32.const 5))
    (block (loop
      (br_if 1 (i32.eqz (local.get 0)))
      (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
      (br 0)))`);
  // entry 1 + 2; each turn: get, eqz, br_if (2) = 4; the rest of a turn: get, const, sub, set, br (2) = 6
  expect(cost(source)).toBe(3n + 6n * 4n + 5n * 6n);
});

test('calls: direct 5, indirect 10, tail 3 and tail indirect 60, plus the entry of the callee', () => {
  const source = `(module (table 1 funcref) (elem (i32.const 0) $g) (func $g)
    (func (export "direct") call $g)
    (func (export "indirect") (call_indirect (i32.const 0)))
    (func (export "tail") return_call $g)
    (func (export "tail-indirect") (return_call_indirect (i32.const 0))))`;
  expect(cost(source, 'direct')).toBe(1n + 5n + 1n);
  expect(cost(source, 'indirect')).toBe(1n + 1n + 10n + 1n);
  expect(cost(source, 'tail')).toBe(1n + 3n + 1n);
  expect(cost(source, 'tail-indirect')).toBe(1n + 1n + 60n + 1n);
});

test('globals, br_table and multi-value blocks', () => {
  const source = `(module (global $g (mut i64) (i64.const 0))
    (func (export "f") (local i32)
      (global.set $g (i64.add (global.get $g) (i64.const 1)))
      (block (block (br_table 0 1 (i32.const 1))))
      (block (result i32 i32) i32.const 1 i32.const 2) drop drop))`;
  // entry 1; set 2, get 2, const 1, add 1; const 1, br_table 2; const 1 twice, drop 1 twice
  expect(cost(source)).toBe(1n + 6n + 3n + 4n);
});

describe('out of instructions', () => {
  const endless = body('(loop (br 0))');

  function trapOf(action: () => void): WasmTrap {
    try {
      action();
    } catch (error) {
      if (error instanceof WasmTrap) return error;
      throw error;
    }
    throw new Error('did not trap');
  }

  test('an endless loop ends with a trap and uses exactly the limit', () => {
    const loop = running(endless, { instructions: 1_000n });
    expect(trapOf(() => loop.call('f')).kind).toBe('instruction-limit');
    expect(loop.instructionsUsed()).toBe(1_000n);
  });

  test('endless recursion through tail calls ends with a trap', () => {
    const loop = running('(module (func $f (export "f") return_call $f))', { instructions: 1_000n });
    expect(trapOf(() => loop.call('f')).kind).toBe('instruction-limit');
  });

  test('a bulk operation larger than the limit traps before it runs', () => {
    const bulk = running(body('(memory.fill (i32.const 0) (i32.const 1) (i32.const 60000))'), {
      instructions: 50_000n,
    });
    expect(trapOf(() => bulk.call('f')).kind).toBe('instruction-limit');
    expect(bulk.read(0, 1)).toEqual(Uint8Array.of(0));
  });

  test('a size of 2^63 does not give instructions back', () => {
    const bulk = running(
      body('(memory.fill (i64.const 0) (i32.const 1) (i64.const 0x8000000000000000))', memory64),
    );
    expect(trapOf(() => bulk.call('f')).kind).toBe('instruction-limit');
  });

  test('a plain unreachable is told apart', () => {
    const plain = running(body('unreachable'));
    expect(trapOf(() => plain.call('f')).kind).toBe('unreachable');
  });

  test('the host charges from the same counter', () => {
    const charged = running(body(''), { instructions: 100n });
    charged.charge(40);
    charged.charge(60n);
    expect(charged.instructionsUsed()).toBe(100n);
    expect(trapOf(() => charged.charge(1)).kind).toBe('instruction-limit');
  });
});
