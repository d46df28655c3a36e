import { describe, expect, test } from 'vitest';
import { run, running, trapKind, u32At } from '../../test/wasm.ts';

describe('tables and segments', () => {
  const source = `(module (memory 1) (type $v (func)) (table 2 funcref) (elem (i32.const 0) $one $two)
    (elem $passive func $two) (data $text "x")
    (global $calls (mut i32) (i32.const 0))
    (func $one (i32.store (i32.const 0) (i32.const 1))) (func $two (i32.store (i32.const 0) (i32.const 2)))
    (func (export "swap") (table.set (i32.const 0) (table.get (i32.const 1)))
      (global.set $calls (i32.add (global.get $calls) (i32.const 1))))
    (func (export "grow") (drop (table.grow (ref.null func) (i32.const 5))))
    (func (export "drop") (elem.drop $passive) (data.drop $text))
    (func (export "init") (table.init $passive (i32.const 0) (i32.const 0) (i32.const 1))
      (memory.init $text (i32.const 100) (i32.const 0) (i32.const 1)))
    (func (export "call") (call_indirect (type $v) (i32.const 0)))
    (func (export "look") (i32.store (i32.const 4) (table.size)) (i32.store (i32.const 8) (global.get $calls))))`;

  test('a table changed by a message is what the module declares in the next one, kept or not', () => {
    const instance = running(source);
    instance.call('swap');
    instance.call('call');
    expect(u32At(instance, 0)).toBe(2);
    instance.call('grow');
    instance.rollback();
    run(instance, 'call');
    expect(u32At(instance, 0)).toBe(1);
    run(instance, 'swap');
    run(instance, 'call');
    run(instance, 'look');
    expect([u32At(instance, 0), u32At(instance, 4), u32At(instance, 8)]).toEqual([1, 2, 1]);
  });

  test('a table initialised from a passive segment works within the message', () => {
    const instance = running(source);
    instance.call('init');
    instance.call('call');
    expect(u32At(instance, 0)).toBe(2);
    instance.rollback();
  });

  test('a dropped segment is back in the next message', () => {
    const instance = running(source);
    instance.call('drop');
    expect(trapKind(() => instance.call('init'))).toBe('table-out-of-bounds');
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
