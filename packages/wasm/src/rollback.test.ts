import { describe, expect, test } from 'vitest';
import type { HostFunctions } from './instance/instance-exports.ts';
import { WasmInstance } from './instance/instance.ts';
import { PAGE, WASM_PAGE } from './module/layout.ts';
import { prepareModule } from './rewrite/prepare.ts';
import { run, running, trapKind, u32At, wat } from '../test/wasm.ts';

describe.each([
  ['32-bit', '', 'i32'],
  ['64-bit', 'i64', 'i64'],
])('%s memory', (_name, address, type) => {
  const a = (value: number): string => `(${type}.const ${value})`;
  const module = (body: string, extra = ''): string =>
    `(module (memory ${address} 2 10) ${extra} (func (export "f") ${body}))`;

  test('a rollback restores what a commit keeps', () => {
    const instance = running(
      `(module (memory ${address} 2 10)
        (func (export "one") (i32.store offset=8 ${a(0)} (i32.const 1)))
        (func (export "two") (i32.store offset=8 ${a(0)} (i32.const 2)) (i32.store8 ${a(70_000)} (i32.const 3))))`,
    );
    instance.call('one');
    expect([...instance.commit().dirtyPages]).toEqual([0]);
    instance.begin(1_000n);
    instance.call('two');
    expect(u32At(instance, 8)).toBe(2);
    instance.rollback();
    expect([u32At(instance, 8), u32At(instance, 70_000)]).toEqual([1, 0]);
    run(instance, 'two');
    expect([u32At(instance, 8), u32At(instance, 70_000)]).toEqual([2, 3]);
  });

  test.each([
    ['stores', `(i32.store8 ${a(0)} (i32.const 9)) (i32.store8 ${a(3 * PAGE)} (i32.const 9))`],
    ['bulk writes', `(memory.fill ${a(0)} (i32.const 9) ${a(2 * PAGE)})`],
  ])('%s to more pages than the message may change end it', (_kind, body) => {
    const instance = running(module(body));
    instance.write(5, Uint8Array.of(1));
    instance.commit();
    instance.begin(100_000n, 1);
    expect(trapKind(() => instance.call('f'))).toBe('instruction-limit');
    instance.rollback();
    expect([...instance.read(0, 8)]).toEqual([0, 0, 0, 0, 0, 1, 0, 0]);
    instance.begin(100_000n, 1);
    expect(trapKind(() => instance.write(PAGE - 1, Uint8Array.of(1, 1)))).toBe('instruction-limit');
    instance.rollback();
    instance.begin(100_000n, 2);
    instance.call('f');
    expect(instance.commit().dirtyPages).toHaveLength(2);
    run(instance, 'f');
  });

  const straddling: readonly (readonly [name: string, store: string, at: number])[] = [
    ['i32.store', `(i32.store align=1 ${a(4094)} (i32.const -1))`, 4094],
    ['i64.store with an offset', `(i64.store offset=4000 align=1 ${a(90)} (i64.const -1))`, 4090],
    ['i32.store16', `(i32.store16 align=1 ${a(4095)} (i32.const -1))`, 4095],
    ['i64.store32', `(i64.store32 align=1 ${a(4093)} (i64.const -1))`, 4093],
    ['f64.store', `(f64.store align=1 ${a(4091)} (f64.const -1.9))`, 4091],
    ['f32.store', `(f32.store align=1 ${a(4094)} (f32.const -1.9))`, 4094],
    ['v128.store', `(v128.store align=1 ${a(4090)} (v128.const i64x2 -1 -1))`, 4090],
    ['v128.store64_lane', `(v128.store64_lane align=1 0 ${a(4090)} (v128.const i64x2 -1 -1))`, 4090],
    ['memory.fill', `(memory.fill ${a(4090)} (i32.const 255) ${a(10)})`, 4090],
    ['memory.copy', `(memory.copy ${a(4090)} ${a(100)} ${a(10)})`, 4090],
    ['memory.init', `(memory.init $d ${a(4090)} (i32.const 0) (i32.const 10))`, 4090],
  ];
  describe.each([[[]], [[0]], [[PAGE]]])('with the pages at %j written before', (written) => {
    test.each(straddling)('%s across a page border logs both pages', (_store, store, at) => {
      const instance = running(module(store, `(data $d "0123456789") (data ${a(100)} "abcdefghij")`));
      instance.commit();
      const before = instance.read(0, 2 * PAGE);
      instance.begin(1_000n);
      for (const address of written) instance.write(address, Uint8Array.of(5));
      instance.call('f');
      expect(instance.read(at, 1)).not.toEqual(before.subarray(at, at + 1));
      instance.rollback();
      expect(instance.read(0, 2 * PAGE)).toEqual(before);
      instance.begin(1_000n);
      instance.call('f');
      expect([...instance.commit().dirtyPages].toSorted()).toEqual([0, 1]);
    });
  });

  test('a rolled back growth shrinks, and the next growth finds zeros', () => {
    const instance = running(
      `(module (memory ${address} 2 10)
        (func (export "grow") (drop (memory.grow ${a(3)})) (i32.store ${a(4 * WASM_PAGE)} (i32.const 7)))
        (func (export "size") (${type}.store ${a(0)} (memory.size)))
        (func (export "beyond") (i32.store ${a(4 * WASM_PAGE)} (i32.const 7)))
        (func (export "more") (${type}.store ${a(0)} (memory.grow ${a(3)}))
          (i32.store ${a(8)} (i32.load ${a(4 * WASM_PAGE)}))))`,
    );
    instance.call('grow');
    expect(instance.memoryPages()).toBe(5);
    instance.rollback();
    expect(instance.memoryPages()).toBe(2);
    run(instance, 'size');
    expect(u32At(instance, 0)).toBe(2);
    instance.begin(1_000n);
    expect(trapKind(() => instance.call('beyond'))).toBe('out-of-bounds');
    expect(trapKind(() => instance.read(2 * WASM_PAGE - 1, 2))).toBe('out-of-bounds');
    instance.rollback();
    run(instance, 'more');
    expect([instance.memoryPages(), u32At(instance, 0), u32At(instance, 8)]).toEqual([5, 2, 0]);
  });

  test('growth beyond the limit, the declared maximum or the address space answers -1', () => {
    const source = `(module (memory ${address} 2 10)
      (func (export "by-2") (${type}.store ${a(0)} (memory.grow ${a(2)})))
      (func (export "by-9") (${type}.store ${a(0)} (memory.grow ${a(9)})))
      (func (export "by-all") (${type}.store ${a(0)} (memory.grow ${a(-1)})))
      (func (export "by-0") (${type}.store ${a(0)} (memory.grow ${a(0)}))))`;
    const instance = running(source, { maxPages: 3 });
    const answer = (name: string): number => {
      instance.call(name);
      return u32At(instance, 0) | 0;
    };
    expect(answer('by-2')).toBe(-1);
    instance.setMaxPages(10);
    expect([answer('by-9'), answer('by-all'), answer('by-2')]).toEqual([-1, -1, 2]);
    instance.setMaxPages(1);
    expect([answer('by-0'), instance.memoryPages()]).toEqual([4, 4]);
    instance.rollback();
  });

  const wild: readonly string[] = [
    `(i32.store ${a(2 * WASM_PAGE)} (i32.const 1))`,
    `(i32.store ${a(2 * WASM_PAGE - 2)} (i32.const 1))`,
    `(i32.store offset=4294967295 ${a(0)} (i32.const 1))`,
    `(i32.store ${a(-2)} (i32.const 1))`,
    `(memory.fill ${a(4096)} (i32.const 1) ${a(-4000)})`,
    `(memory.fill ${a(2 * WASM_PAGE - 1)} (i32.const 1) ${a(2)})`,
  ];
  test.each(wild)('%s traps and leaves no page marked that was not saved', (store) => {
    const instance = running(module(store), { instructions: 2n ** 62n });
    expect(trapKind(() => instance.call('f'))).toBe(
      store.includes('-4000') && type === 'i64' ? 'instruction-limit' : 'out-of-bounds',
    );
    instance.rollback();
    instance.begin(1_000n);
    instance.write(0, new Uint8Array(2 * WASM_PAGE).fill(1));
    expect(instance.commit().dirtyPages.length).toBe(32);
  });
});

test('global variables of every type come back bit by bit, NaN payloads included', () => {
  const source = `(module (memory 1)
    (global $i (mut i32) (i32.const 1)) (global $l (mut i64) (i64.const -2))
    (global $f (mut f32) (f32.const nan:0x200001)) (global $d (mut f64) (f64.const nan:0x4000000000001))
    (global $v (mut v128) (v128.const i64x2 -3 4)) (global $fixed v128 (v128.const i64x2 5 6))
    (func (export "spoil") (global.set $i (i32.const 9)) (global.set $l (i64.const 9))
      (global.set $v (global.get $fixed))
      (global.set $f (f32.const 9)) (global.set $d (f64.const 9)))
    (func (export "dump") (i32.store (i32.const 0) (global.get $i)) (i64.store (i32.const 8) (global.get $l))
      (f32.store (i32.const 16) (global.get $f)) (f64.store (i32.const 24) (global.get $d))
      (v128.store (i32.const 32) (global.get $v)) (v128.store (i32.const 48) (global.get $fixed))))`;
  const instance = running(source);
  instance.call('dump');
  const before = instance.read(0, 64);
  const committed = instance.commit();
  expect(prepareModule(wat(source)).globals.map(({ type }) => type)).toEqual([
    'i32',
    'i64',
    'f32',
    'f64',
    'i64',
    'i64',
  ]);
  expect(committed.globals).toEqual([1, -2n, 0x7fa00001, 0x7ff4000000000001n, -3n, 4n]);
  instance.begin(1_000n);
  instance.call('spoil');
  instance.rollback();
  run(instance, 'dump');
  expect(instance.read(0, 64)).toEqual(before);

  const reloaded = WasmInstance.create(prepareModule(wat(source)), { imports: {} });
  reloaded.restore({ pages: 1, globals: committed.globals, readInto: () => undefined });
  run(reloaded, 'dump');
  expect(reloaded.read(0, 64)).toEqual(before);
});

describe('the host', () => {
  test('reads and writes within the logical size, through the same undo log', () => {
    const instance = running('(module (memory 1))');
    instance.write(PAGE - 1, Uint8Array.of(1, 2));
    expect(instance.read(PAGE - 1, 2)).toEqual(Uint8Array.of(1, 2));
    expect(trapKind(() => instance.write(WASM_PAGE - 1, Uint8Array.of(1, 2)))).toBe('out-of-bounds');
    expect(trapKind(() => instance.read(-1, 1))).toBe('out-of-bounds');
    instance.rollback();
    expect(instance.read(PAGE - 1, 2)).toEqual(Uint8Array.of(0, 0));
  });

  test('an error thrown by an import passes through unchanged and the message can be rolled back', () => {
    class HostError extends Error {}
    const imports: HostFunctions = {
      trap: (): void => {
        throw new HostError('from the host');
      },
    };
    const instance = running(
      `(module (import "ic0" "trap" (func $trap (param i32 i32))) (memory 1)
        (func (export "f") (i32.store (i32.const 0) (i32.const 5)) (call $trap (i32.const 0) (i32.const 0))))`,
      { imports },
    );
    expect(() => instance.call('f')).toThrow(HostError);
    instance.rollback();
    expect(u32At(instance, 0)).toBe(0);
  });

  test('refuses to start a message while another is open', () => {
    const first = running('(module (memory 1))');
    first.write(0, Uint8Array.of(1));
    expect(() => first.begin(1n)).toThrow('neither committed nor rolled back');
    const second = WasmInstance.create(prepareModule(wat('(module (memory 1))')), { imports: {} });
    expect(() => second.begin(1n)).toThrow('Another canister');
    first.rollback();
    second.begin(1n);
    second.rollback();
  });
});

test('addresses beyond 4 GiB are logged and undone like any other', () => {
  const at = 5 * 1024 ** 3 - 3;
  const instance = running(
    `(module (memory i64 81920) (func (export "f") (i64.store align=1 (i64.const ${at - 5}) (i64.const -1))
      (i32.store8 (i64.const 0x1_0000_0000) (i32.const 1))))`,
  );
  instance.call('f');
  expect(instance.read(at - 5, 8)).toEqual(new Uint8Array(8).fill(255));
  instance.rollback();
  expect(instance.read(at - 5, 8)).toEqual(new Uint8Array(8));
  instance.begin(1_000n);
  instance.call('f');
  expect([...instance.commit().dirtyPages]).toEqual([1_310_719, 1_048_576]);
});

test('a message that changes more than the undo log first holds is undone whole', () => {
  const source = `(module (memory 640) (func (export "fill") (memory.fill (i32.const 0) (i32.const 7) (i32.const 20971520))))`;
  const instance = running(source, { instructions: 100_000_000n });
  instance.call('fill');
  instance.write(20_971_520, new Uint8Array(20_971_520).fill(8));
  instance.rollback();
  expect(instance.read(0, 41_943_040).every((byte) => byte === 0)).toBe(true);
});

test('a module with neither memory nor table runs', () => {
  const instance = running(
    '(module (global $g (mut i32) (i32.const 0)) (func (export "f") (global.set $g (i32.const 4))))',
  );
  instance.call('f');
  const { globals, dirtyPages, logicalPages } = instance.commit();
  expect({ globals, pages: dirtyPages.length, logicalPages }).toEqual({
    globals: [4],
    pages: 0,
    logicalPages: 0,
  });
});

test('initial data is part of the first commit, and of none if that message is rolled back', () => {
  const instance = running('(module (memory 1) (data (i32.const 4095) "ab"))');
  expect(instance.read(4095, 2)).toEqual(Uint8Array.of(0x61, 0x62));
  instance.rollback();
  expect(instance.read(4095, 2)).toEqual(Uint8Array.of(0, 0));
  instance.begin(1n);
  expect([...instance.commit().dirtyPages]).toEqual([0, 1]);
  instance.begin(1n);
  expect([...instance.commit().dirtyPages]).toEqual([]);
});

test('start does not run by itself but as metered code of a message', () => {
  const source = '(module (memory 1) (func $s (i32.store (i32.const 0) (i32.const 6))) (start $s))';
  const instance = running(source);
  expect(u32At(instance, 0)).toBe(0);
  instance.start();
  expect([u32At(instance, 0), instance.instructionsUsed()]).toEqual([6, 4n]);
  instance.rollback();
  expect(u32At(instance, 0)).toBe(0);
});
