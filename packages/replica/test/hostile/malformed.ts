import { wat } from '../../../wasm/test/wasm.ts';
import { type Attack, INVALID_MODULE } from './attack.ts';

const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const bytes =
  (...values: readonly number[]) =>
  (): Uint8Array =>
    Uint8Array.from(values);
const after =
  (...values: readonly number[]) =>
  (): Uint8Array =>
    Uint8Array.from([...HEADER, ...values]);
const text = (source: string) => (): Uint8Array => wat(source);

const BYTES: readonly (readonly [name: string, module: () => Uint8Array])[] = [
  ['no bytes', bytes()],
  ['the magic number alone', bytes(0, 0x61, 0x73, 0x6d)],
  ['another version', bytes(0, 0x61, 0x73, 0x6d, 2, 0, 0, 0)],
  ['a component', bytes(0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0)],
  ['text', () => new TextEncoder().encode('(module)')],
  ['an ELF file', bytes(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0)],
  ['random bytes', () => Uint8Array.from({ length: 4_096 }, (_, at) => (at * 7_919) % 251)],
  ['a section longer than the module', after(1, 0xff, 0xff, 0xff, 0xff, 0x0f)],
  ['a section length that never ends', after(1, ...Array.from({ length: 64 }, () => 0xff))],
  ['2^32 types in four bytes', after(1, 5, 0xff, 0xff, 0xff, 0xff, 0x0f)],
  ['2^32 functions in four bytes', after(3, 5, 0xff, 0xff, 0xff, 0xff, 0x0f)],
  ['2^32 exports in four bytes', after(7, 5, 0xff, 0xff, 0xff, 0xff, 0x0f)],
  ['2^32 data segments in four bytes', after(11, 5, 0xff, 0xff, 0xff, 0xff, 0x0f)],
  ['a section twice', after(1, 1, 0, 1, 1, 0)],
  ['sections in the wrong order', after(3, 1, 0, 1, 1, 0)],
  ['a section nobody knows', after(77, 1, 0)],
  ['a function without a body', after(1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0)],
  ['a body without a function', after(10, 4, 1, 2, 0, 0x0b)],
  ['a type that is not there', after(3, 2, 1, 9, 10, 4, 1, 2, 0, 0x0b)],
  ['an export that is not there', after(7, 5, 1, 1, 0x66, 0, 9)],
  ['a name that is no UTF-8', after(7, 5, 1, 1, 0xff, 0, 0)],
  ['a start function that is not there', after(8, 1, 9)],
  ['code that ends too early', after(1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 10, 4, 1, 2, 0, 0x02)],
  ['code that takes from an empty stack', text('(module (func i32.add drop))')],
  ['code that leaves the wrong type', text('(module (func (result i32) (f64.const 1)))')],
  ['a branch out of the function', text('(module (func (br 7)))')],
  ['a local that is not there', text('(module (func (drop (local.get 7))))')],
  [
    'a write to a constant',
    text('(module (global $g i32 (i32.const 0)) (func (global.set $g (i32.const 1))))'),
  ],
  ['a start function with parameters', text('(module (func $s (param i32)) (start $s))')],
];

/** What the engine could run, and the Internet Computer does not. */
const FORBIDDEN: readonly (readonly [name: string, source: string])[] = [
  ['atomic access', '(module (memory 1) (func (drop (i32.atomic.load (i32.const 0)))))'],
  ['a shared memory', '(module (memory 1 2 shared))'],
  ['two memories', '(module (memory 1) (memory 1))'],
  ['an exception', '(module (tag $t) (func (throw $t)))'],
  ['an imported memory', '(module (import "env" "memory" (memory 1)))'],
  ['an imported table', '(module (import "env" "table" (table 1 funcref)))'],
  ['an imported global', '(module (import "ic0" "g" (global i32)))'],
  ['the memory of the network itself', '(module (import "cannery" "undo" (memory i64 1)))'],
  ['a function of the network itself', '(module (import "cannery" "undo" (func)))'],
  ['a function nobody knows', '(module (import "ic0" "mint_gold" (func)))'],
  ['a function of JavaScript', '(module (import "ic0" "constructor" (func)))'],
  ['a function with other parameters', '(module (import "ic0" "msg_reply" (func (param i32))))'],
  ['a function with another result', '(module (import "ic0" "time" (func (result f64))))'],
  [
    '64-bit pointers with a 32-bit memory',
    '(module (import "ic0" "msg_arg_data_size" (func (result i64))) (memory 1))',
  ],
  [
    '32-bit pointers with a 64-bit memory',
    '(module (import "ic0" "msg_arg_data_size" (func (result i32))) (memory i64 1))',
  ],
  [
    'a narrow function with a 64-bit memory',
    '(module (import "ic0" "stable_size" (func (result i32))) (memory i64 1))',
  ],
  ['table.grow', '(module (table 1 funcref) (func (drop (table.grow (ref.null func) (i32.const 1000000)))))'],
  ['table.set', '(module (table 1 funcref) (func (table.set (i32.const 0) (ref.null func))))'],
  [
    'table.fill',
    '(module (table 1 funcref) (func (table.fill (i32.const 0) (ref.null func) (i32.const 1))))',
  ],
  [
    'a method of two kinds',
    '(module (func (export "canister_update f")) (func (export "canister_query f")))',
  ],
  ['a method with a parameter', '(module (func (export "canister_update f") (param i32)))'],
  ['an entry point with a result', '(module (func (export "canister_init") (result i32) (i32.const 0)))'],
  ['a reserved name', '(module (func (export "canister_stop")))'],
  [
    "the instruction counter's name",
    '(module (global i64 (i64.const 0)) (export "canister counter_instructions" (global 0)))',
  ],
  ['the name of an export of this network', '(module (func (export "cannery:restore")))'],
];

/** Bytes that are no module, and modules with what no canister may use. */
export const MALFORMED: readonly Attack[] = [
  ...BYTES.map(([name, module]) => ({ name, module, by: 'install', ends: INVALID_MODULE }) as const),
  ...FORBIDDEN.map(
    ([name, source]) => ({ name, module: text(source), by: 'install', ends: INVALID_MODULE }) as const,
  ),
];
