import { describe, expect, test } from 'vitest';
import { InvalidModuleError } from './invalid-module-error.ts';
import { compileModule, prepareModule } from './prepare.ts';
import { WasmInstance } from './instance.ts';
import { wat } from '../../test/wasm.ts';
import { ByteWriter } from './writer.ts';

function refusal(bytes: Uint8Array): string {
  try {
    prepareModule(bytes);
  } catch (error) {
    if (error instanceof InvalidModuleError) return error.message;
    throw error;
  }
  return 'accepted';
}

function withCustomSection(bytes: Uint8Array, name: string, content: Uint8Array): Uint8Array {
  const section = new ByteWriter()
    .raw(bytes)
    .byte(0)
    .sized((body) => body.name(name).raw(content));
  return section.view.slice();
}

const empty = wat('(module)');

test('an empty module is accepted and runs nothing', () => {
  expect(refusal(empty)).toBe('accepted');
  expect(compileModule(prepareModule(empty))).toBeInstanceOf(WebAssembly.Module);
});

test('bytes that are no module are refused, whatever they are', () => {
  const source = wat(
    '(module (memory 1) (data (i32.const 0) "hello") (func (export "f") (i32.store (i32.const 0) (i32.const 1))))',
  );
  expect(refusal(new Uint8Array(0))).toContain('not a valid WebAssembly module');
  expect(refusal(Uint8Array.of(0x1f, 0x8b, 8, 0))).toContain('not a valid WebAssembly module');
  for (let end = 0; end < source.length; end++) {
    const cut = source.slice(0, end);
    if (!WebAssembly.validate(cut)) expect(refusal(cut)).toContain('not a valid WebAssembly module');
  }
});

test('every single-byte change of a module is either refused or still compiles after the rewrite', () => {
  const source =
    wat(`(module (import "ic0" "trap" (func (param i32 i32))) (memory 1) (table 2 funcref) (elem (i32.const 0) 1)
    (global (mut i32) (i32.const 3)) (data (i32.const 0) "hello")
    (func (export "f") (local i64) (block (br_if 0 (i32.const 1))) (i32.store offset=3 (i32.const 0) (i32.const 1))))`);
  let accepted = 0;
  for (let at = 8; at < source.length; at++) {
    for (const value of [0x00, 0x01, 0x03, 0x40, 0x63, 0x7b, 0x7f, 0xfb, 0xff]) {
      const changed = source.slice();
      changed[at] = value;
      if (refusal(changed) !== 'accepted') continue;
      accepted++;
      compileModule(prepareModule(changed));
    }
  }
  expect(accepted).toBeGreaterThan(50);
});

describe('refused with a reason', () => {
  const cases: readonly (readonly [name: string, source: string, reason: string])[] = [
    ['an import from another module', '(module (import "env" "abort" (func)))', "'abort' from 'env'"],
    ['an imported memory', '(module (import "env" "mem" (memory 1)))', "'mem' from 'env' is not a function"],
    ['an imported global', '(module (import "ic0" "g" (global i32)))', "'g' from 'ic0' is not a function"],
    ['a second memory', '(module (memory 1) (memory 1))', 'more than one memory'],
    ['a shared memory', '(module (memory 1 2 shared))', 'shared'],
    ['a vector global', '(module (global v128 (v128.const i64x2 0 0)))', 'global section'],
    ['a reference global', '(module (global funcref (ref.null func)))', 'global section'],
    ['atomics', '(module (memory 1) (func (drop (i32.atomic.load (i32.const 0)))))', 'instruction (0xfe)'],
    ['exceptions', '(module (tag $t) (func (throw $t)))', 'section (number 13)'],
    ['a reserved export', '(module (func (export "canister_foo")))', "reserved function 'canister_foo'"],
    ["the rewriter's exports", '(module (func (export "cannery:save")))', "'cannery:save'"],
    [
      'a method with parameters',
      '(module (func (export "canister_update f") (param i32)))',
      "'canister_update f'",
    ],
    [
      'a method twice',
      '(module (func (export "canister_update f")) (func (export "canister_query f")))',
      "Duplicate function 'f'",
    ],
    [
      'data outside the memory',
      '(module (memory 1) (data (i32.const 65535) "ab"))',
      'outside the initial memory',
    ],
    ['too large a memory', '(module (memory i64 98305))', '98305 pages'],
  ];
  test.each(cases)('%s', (_name, source, reason) => {
    expect(refusal(wat(source))).toContain(reason);
  });
});

describe('limits', () => {
  const functions = (count: number): Uint8Array => wat(`(module ${'(func)'.repeat(count)})`);
  const globals = (count: number): Uint8Array =>
    wat(`(module ${'(global i32 (i32.const 0))'.repeat(count)})`);

  test('50 000 functions', () => {
    expect(refusal(functions(50_000))).toBe('accepted');
    expect(refusal(functions(50_001))).toContain('50001 functions');
  });

  test('1 000 globals', () => {
    expect(refusal(globals(1_000))).toBe('accepted');
    expect(refusal(globals(1_001))).toContain('1001 globals');
  });

  test('10 MiB of code', () => {
    const body = new ByteWriter().byte(0).raw(new Uint8Array(5_300_000).fill(1)).byte(0x0b);
    const code = new ByteWriter().u32(2).u32(body.length).raw(body.view).u32(body.length).raw(body.view);
    const module = new ByteWriter()
      .raw(empty.subarray(0, 8))
      .raw(Uint8Array.of(1, 4, 1, 0x60, 0, 0, 3, 3, 2, 0, 0, 10))
      .u32(code.length)
      .raw(code.view);
    expect(refusal(module.view.slice())).toContain('code section size');
  });

  test('16 metadata sections of 1 MiB together', () => {
    const add = (count: number): Uint8Array =>
      Array.from({ length: count }).reduce<Uint8Array>(
        (bytes, _, position) => withCustomSection(bytes, `icp:public ${position}`, Uint8Array.of(1)),
        empty,
      );
    expect(refusal(add(16))).toBe('accepted');
    expect(refusal(add(17))).toContain('17 custom sections');
    expect(refusal(withCustomSection(empty, 'icp:public big', new Uint8Array(1024 * 1024)))).toContain(
      'total size',
    );
  });
});

test('metadata is read with its visibility', () => {
  const module = withCustomSection(
    withCustomSection(
      withCustomSection(empty, 'icp:public candid:service', Uint8Array.of(1)),
      'icp:private  x',
      Uint8Array.of(2),
    ),
    'other',
    Uint8Array.of(3),
  );
  expect(prepareModule(module).metadata).toEqual([
    { name: 'candid:service', visibility: 'public', content: Uint8Array.of(1) },
    { name: ' x', visibility: 'private', content: Uint8Array.of(2) },
  ]);
  expect(refusal(withCustomSection(empty, 'icp:secret x', Uint8Array.of()))).toContain(
    'no public/private scope',
  );
  expect(refusal(withCustomSection(module, 'icp:private candid:service', Uint8Array.of()))).toContain(
    'already exists',
  );
});

test('what a module needs is listed', () => {
  const prepared = prepareModule(
    wat(`(module (import "ic0" "msg_reply" (func)) (memory i64 3 7) (table i64 1 funcref)
      (func $s) (start $s) (func (export "canister_update go")) (global (mut f64) (f64.const 0)))`),
  );
  expect({ ...prepared, code: undefined }).toEqual({
    code: undefined,
    hasMemory: true,
    memory64: true,
    minPages: 3,
    maxPages: 7,
    initialData: [],
    hasTable: true,
    table64: true,
    globals: [{ exportName: 'cannery:global 0', type: 'f64' }],
    exportedFunctions: ['canister_update go'],
    imports: [{ module: 'ic0', name: 'msg_reply', kind: 'function' }],
    metadata: [],
    hasStart: true,
  });
});

test('a missing function of the system is a refusal, not a crash', () => {
  const prepared = prepareModule(wat('(module (import "ic0" "no_such_thing" (func)))'));
  expect(() => WasmInstance.create(prepared, { imports: {} })).toThrow(InvalidModuleError);
});
