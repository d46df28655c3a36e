import { describe, expect, test } from 'vitest';
import { withCustomSection } from '../module/custom-sections.ts';
import { InvalidModuleError } from '../module/reader.ts';
import { compileModule, prepareModule } from '../rewrite/prepare.ts';
import { WasmInstance } from '../instance/instance.ts';
import { wat } from '../../test/wasm.ts';
import { ByteWriter } from '../module/writer.ts';

function refusal(bytes: Uint8Array): string {
  try {
    prepareModule(bytes);
  } catch (error) {
    if (error instanceof InvalidModuleError) return error.message;
    throw error;
  }
  return 'accepted';
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
  expect(refusal(new Uint8Array(0))).toContain('unsupported canister module format');
  expect(refusal(Uint8Array.of(0x1f, 0x8b, 8, 0))).toContain('unsupported canister module format');
  for (let end = 0; end < source.length; end++) {
    const cut = source.slice(0, end);
    if (!WebAssembly.validate(cut))
      expect(refusal(cut)).toMatch(/^Failed to (?:decode|validate) wasm module: ./);
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
    ['an imported memory', '(module (import "env" "mem" (memory 1)))', "'mem' from 'env' is not a function"],
    ['an imported global', '(module (import "ic0" "g" (global i32)))', "'g' from 'ic0' is not a function"],
    ['a second memory', '(module (memory 1) (memory 1))', 'more than one memory'],
    ['a shared memory', '(module (memory 1 2 shared))', 'shared'],
    ['a reference global', '(module (global funcref (ref.null func)))', 'global section'],
    [
      'atomics',
      '(module (memory 1) (func (drop (i32.atomic.load (i32.const 0)))))',
      'index 0 with unsupported instruction 0xfe.',
    ],
    ['exceptions', '(module (tag $t) (func (throw $t)))', 'section (number 13)'],
    ['a reserved export', '(module (func (export "canister_foo")))', "reserved function 'canister_foo'"],
    ["the rewriter's exports", '(module (func (export "cannery:save")))', 'cannery:save not allowed'],
    ...[
      'canister counter_instructions',
      'canister_start',
      'canister counter_dirty_pages',
      'canister counter_accessed_pages',
      'stable_memory',
      'stable_bytemap_memory',
    ].map((name): [string, string, string] => [
      `the reserved name ${name}`,
      `(module (global i32 (i32.const 0)) (export "${name}" (global 0)))`,
      `Exporting reserved symbol ${name} not allowed.`,
    ]),
    [
      'a method with parameters',
      '(module (func (export "canister_update f") (param i32)))',
      "Expected input params [] for 'canister_update f', got [i32].",
    ],
    [
      'an entry point with a result',
      '(module (func (export "canister_init") (result i64) (i64.const 1)))',
      "Expected return type [] for 'canister_init', got [i64].",
    ],
    [
      'a method that is an import with parameters',
      '(module (import "ic0" "trap" (func (param i32 i32))) (export "canister_query f" (func 0)))',
      "for 'canister_query f', got [i32, i32].",
    ],
    ['two tables', '(module (table 1 funcref) (table 1 funcref))', '2 tables'],
    ['a large table', '(module (table 1000001 funcref))', '1000001 table entries'],
    ...['table.set (i32.const 0) (ref.null func)', 'table.fill (i32.const 0) (ref.null func) (i32.const 1)']
      .concat('drop (table.grow (ref.null func) (i32.const 1))')
      .concat('table.copy (i32.const 0) (i32.const 0) (i32.const 1)')
      .concat('table.init 0 (i32.const 0) (i32.const 0) (i32.const 1)')
      .map((code): [string, string, string] => [
        code,
        `(module (table 1 funcref) (elem func 0) (func) (func (${code})))`,
        `function at index 1 with unsupported instruction ${/table\.\w+/.exec(code)?.[0]}.`,
      ]),
    [
      'a method twice',
      '(module (func (export "canister_update f")) (func (export "canister_query f")))',
      "Duplicate function 'f'",
    ],
    [
      'data outside the memory',
      '(module (memory 1) (data (i32.const 65535) "ab"))',
      'invalid data segment of 2 bytes at 65535.',
    ],
    ['too large a memory', '(module (memory i64 98305))', '98305 pages'],
    ['a memory that may become too large', '(module (memory i64 1 98305))', '98305 pages'],
  ];
  test.each(cases)('%s', (_name, source, reason) => {
    expect(refusal(wat(source))).toContain(reason);
  });
});

describe('limits', () => {
  /** A module of one function without parameters, locals and results. */
  function withBody(instructions: Uint8Array): Uint8Array {
    const code = new ByteWriter().byte(0).raw(instructions).byte(0x0b);
    return new ByteWriter()
      .raw(empty.subarray(0, 8))
      .raw(Uint8Array.of(1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 10))
      .sized((body) => body.u32(1).u32(code.length).raw(code.view))
      .view.slice();
  }

  const functions = (count: number): Uint8Array => wat(`(module ${'(func)'.repeat(count)})`);
  const globals = (count: number): Uint8Array =>
    wat(`(module ${'(global i32 (i32.const 0))'.repeat(count)})`);

  test('50 000 functions', () => {
    expect(refusal(functions(50_000))).toBe('accepted');
    expect(refusal(functions(50_001))).toContain('50001 functions');
  }, 30_000);

  test('a name of 100 000 bytes', () => {
    const named = (bytes: number): Uint8Array =>
      wat(`(module (global (export "${'a'.repeat(bytes)}") i32 (i32.const 0)))`);
    expect(refusal(named(100_000))).toBe('accepted');
    expect(refusal(named(100_001))).toContain('a name of 100001 bytes exceeds the 100000 allowed');
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

  test('1 000 methods with names of 20 000 bytes together', () => {
    const methods = (count: number, suffix = ''): Uint8Array =>
      wat(
        `(module (func $f) ${Array.from({ length: count }, (_, i) => `(export "canister_query ${i}${suffix}" (func $f))`).join('')})`,
      );
    expect(refusal(methods(1_000))).toBe('accepted');
    expect(refusal(methods(1_001))).toContain('is 1001 which exceeds 1000.');
    expect(refusal(methods(1, '\\c3\\a9'.repeat(9_999)))).toBe('accepted');
    expect(refusal(methods(1, '\\c3\\a9'.repeat(10_000)))).toContain(
      'is 20001 which exceeds the allowed limit of 20000.',
    );
  });

  test('a complexity of a million in one function, which a million instructions also have', () => {
    const nops = (count: number): Uint8Array => withBody(new Uint8Array(count).fill(1));
    expect(refusal(nops(999_999))).toBe('accepted');
    expect(refusal(nops(1_000_000))).toContain('index 0 with complexity 1000001 or more');
    const blocks = (count: number): Uint8Array =>
      withBody(Uint8Array.from({ length: 3 * count }, (_, at) => [0x02, 0x40, 0x0b][at % 3] ?? 0));
    // A block counts 50 and its end 1; the end of the function counts 1 as well.
    expect(refusal(blocks(19_607))).toBe('accepted');
    expect(refusal(blocks(19_608))).toContain('index 0 with complexity 10000');
  }, 30_000);

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
  expect(refusal(withCustomSection(empty, 'icp:public', Uint8Array.of()))).toContain('must have a space');
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
    imports: [{ module: 'ic0', name: 'msg_reply', params: [], results: [] }],
    metadata: [],
    hasStart: true,
  });
});

test('a missing function of the system is a refusal, not a crash', () => {
  const prepared = prepareModule(wat('(module (import "ic0" "no_such_thing" (func)))'));
  expect(() => WasmInstance.create(prepared, { imports: {} })).toThrow(InvalidModuleError);
});
