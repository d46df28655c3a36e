import { describe, expect, test } from 'vitest';
import { running } from '../../test/wasm.ts';

/** Bits of a value an expression leaves, eight bytes from the lowest. */
function bitsOf(store: string, code: string, globals = ''): bigint {
  const instance = running(
    `(module (memory 1) ${globals} (func (export "f") (${store} (i32.const 0) ${code})))`,
  );
  instance.call('f');
  const bytes = instance.read(0, 16);
  instance.rollback();
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
}

const NAN_32 = 0x7fc0_0000n;
const NAN_64 = 0x7ff8_0000_0000_0000n;
const f32 = '(f32.const -nan:0x200001)';
const f64 = '(f64.const -nan:0x4000000000001)';

describe('arithmetic yields one NaN, whatever the processor gives', () => {
  test.each(['add', 'sub', 'mul', 'div', 'min', 'max'])('%s', (name) => {
    expect(bitsOf('f32.store', `(f32.${name} ${f32} (f32.const 1))`)).toBe(NAN_32);
    expect(bitsOf('f64.store', `(f64.${name} (f64.const 1) ${f64})`)).toBe(NAN_64);
  });

  test.each(['ceil', 'floor', 'trunc', 'nearest', 'sqrt'])('%s', (name) => {
    expect(bitsOf('f32.store', `(f32.${name} ${f32})`)).toBe(NAN_32);
    expect(bitsOf('f64.store', `(f64.${name} ${f64})`)).toBe(NAN_64);
  });

  test.each([
    '(f64.div (f64.const 0) (f64.const 0))',
    '(f64.sqrt (f64.const -1))',
    '(f64.sub (f64.const inf) (f64.const inf))',
    '(f64.mul (f64.const inf) (f64.const 0))',
    `(f64.promote_f32 ${f32})`,
  ])('%s', (code) => {
    expect(bitsOf('f64.store', code)).toBe(NAN_64);
  });

  test('f32.demote_f64', () => {
    expect(bitsOf('f32.store', `(f32.demote_f64 ${f64})`)).toBe(NAN_32);
  });

  test.each(['add', 'sub', 'mul', 'div', 'min', 'max'])('vector %s, lane by lane', (name) => {
    const singles = `(f32x4.${name} (v128.const f32x4 -nan:0x200001 8 1 1) (v128.const f32x4 1 2 1 1))`;
    const second = bitsOf('v128.store', singles) >> 32n;
    expect(bitsOf('v128.store', singles) & 0xffff_ffffn).toBe(NAN_32);
    expect(second).not.toBe(NAN_32);
    expect(bitsOf('v128.store', `(f64x2.${name} (v128.const f64x2 nan:0x1 1) (v128.const f64x2 1 1))`)).toBe(
      NAN_64,
    );
  });

  test.each(['ceil', 'floor', 'trunc', 'nearest', 'sqrt'])('vector %s', (name) => {
    expect(bitsOf('v128.store', `(f32x4.${name} (v128.const f32x4 -nan -nan 1 1))`)).toBe(
      NAN_32 | (NAN_32 << 32n),
    );
    expect(bitsOf('v128.store', `(f64x2.${name} (v128.const f64x2 -nan:0x1 1))`)).toBe(NAN_64);
  });

  test('vector promotion and demotion', () => {
    expect(bitsOf('v128.store', '(f64x2.promote_low_f32x4 (v128.const f32x4 -nan 1 1 1))')).toBe(NAN_64);
    expect(bitsOf('v128.store', '(f32x4.demote_f64x2_zero (v128.const f64x2 -nan -nan))')).toBe(
      NAN_32 | (NAN_32 << 32n),
    );
  });
});

describe('what only moves bits keeps every NaN', () => {
  test.each([
    ['a constant', f64],
    ['select', `(select ${f64} (f64.const 1) (i32.const 1))`],
    ['a reinterpretation', '(f64.reinterpret_i64 (i64.const 0xfff4000000000001))'],
    ['copysign', '(f64.copysign (f64.const nan:0x4000000000001) (f64.const -1))'],
  ])('%s', (_name, code) => {
    expect(bitsOf('f64.store', code)).toBe(0xfff4_0000_0000_0001n);
  });

  test('abs and neg change the sign alone', () => {
    expect(bitsOf('f64.store', `(f64.abs ${f64})`)).toBe(0x7ff4_0000_0000_0001n);
    expect(bitsOf('f64.store', `(f64.neg (f64.const nan:0x4000000000001))`)).toBe(0xfff4_0000_0000_0001n);
  });
});

test('a NaN that goes from one operation to the next is canonical at the end', () => {
  expect(bitsOf('f64.store', `(f64.neg (f64.add (f64.const 1) (f64.mul ${f64} (f64.const 2))))`)).toBe(
    NAN_64 | (1n << 63n),
  );
  expect(bitsOf('f64.store', `(f64.add (f64.mul ${f64} (f64.const 2)) (f64.const 1))`)).toBe(NAN_64);
});

test('numbers stay what they are', () => {
  const value = (code: string): number => {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, bitsOf('f64.store', code));
    return view.getFloat64(0);
  };
  expect(value('(f64.add (f64.const 0.1) (f64.const 0.2))')).toBe(0.1 + 0.2);
  expect(value('(f64.div (f64.const 1) (f64.const -0))')).toBe(-Infinity);
  expect(Object.is(value('(f64.mul (f64.const 0) (f64.const -1))'), -0)).toBe(true);
});
