import { describe, expect, test } from 'vitest';
import { run, running, trapKind, u32At } from '../test/wasm.ts';

describe('tables and segments', () => {
  const source = `(module (memory 1) (table 1 funcref) (elem $passive func $f) (data $text "x") (func $f)
    (func (export "drop") (elem.drop $passive) (data.drop $text))
    (func (export "init") (memory.init $text (i32.const 100) (i32.const 0) (i32.const 1))))`;

  test('a dropped segment is back in the next message', () => {
    const instance = running(source);
    instance.call('drop');
    expect(trapKind(() => instance.call('init'))).toBe('out-of-bounds');
    instance.rollback();
    run(instance, 'drop');
    run(instance, 'init');
    expect(instance.read(100, 1)).toEqual(Uint8Array.of(0x78));
  });

  test.each([
    ['32-bit', 'i32', ''],
    ['64-bit', 'i64', 'i64'],
  ])('callbacks through a %s table get their environment', (_name, type, prefix) => {
    const callback =
      running(`(module (memory ${prefix} 1) (table ${prefix} 3 funcref) (elem (${type}.const 1) $cb $odd)
      (func $cb (param ${type}) (${type}.store (${type}.const 0) (local.get 0))) (func $odd))`);
    callback.callTable(1, 77);
    expect(u32At(callback, 0)).toBe(77);
    expect(trapKind(() => callback.callTable(0, 0))).toBe('indirect-call-mismatch');
    expect(trapKind(() => callback.callTable(2, 0))).toBe('indirect-call-mismatch');
    expect(trapKind(() => callback.callTable(3, 0))).toBe('table-out-of-bounds');
    callback.rollback();
  });

  test('a module without a table has no callbacks', () => {
    const instance = running('(module (memory 1))');
    expect(trapKind(() => instance.callTable(0, 0))).toBe('table-out-of-bounds');
    instance.rollback();
  });
});
