import { expect, test } from 'vitest';
import { trapKind, wat } from '../../test/wasm.ts';
import { prepareModule } from '../rewrite/prepare.ts';
import { textAtPointer } from './text-at-pointer.ts';

/** What a module tells whose function has this body, with a text at 16. */
function told(body: string, more = ''): string {
  const source = `(module ${more} (memory 1) (data (i32.const 16) "service : {}\\00rest")
    (func (export "get_candid_pointer") (result i32) ${body}))`;
  return textAtPointer(prepareModule(wat(source)), 'get_candid_pointer');
}

test('the text ends at its zero byte', () => {
  expect(told('(i32.const 16)')).toBe('service : {}');
  expect(told('(i32.const 40)')).toBe('');
});

test('a text may be made by the function itself, over the border of a piece', () => {
  const fill = '(memory.fill (i32.const 4000) (i32.const 97) (i32.const 5000))';
  expect(told(`${fill} (i32.const 4000)`)).toBe('a'.repeat(5000));
});

test('hostile functions end: endless loops, addresses outside, texts without end, calls of the system', () => {
  expect(trapKind(() => told('(loop $again (br $again)) (i32.const 0)'))).toBe('instruction-limit');
  expect(trapKind(() => told('(i32.const -1)'))).toBe('out-of-bounds');
  const full = '(memory.fill (i32.const 0) (i32.const 97) (i32.const 65536)) (i32.const 0)';
  expect(() => told(full)).toThrow('its text has no end');
  const time = '(import "ic0" "time" (func $time (result i64)))';
  expect(() => told('(drop (call $time)) (i32.const 16)', time)).toThrow('it calls ic0.time');
});

test('a function that returns nothing, or a memory that begins too large, gives no text', () => {
  const nothing = wat('(module (memory 1) (func (export "get_candid_pointer")))');
  expect(() => textAtPointer(prepareModule(nothing), 'get_candid_pointer')).toThrow('it returns no address');
  const large = wat('(module (memory 5000) (func (export "get_candid_pointer") (result i32) (i32.const 0)))');
  expect(() => textAtPointer(prepareModule(large), 'get_candid_pointer')).toThrow('begins too large');
});
