import { gzipSync } from 'node:zlib';
import { ByteWriter } from '../../../wasm/src/module/writer.ts';
import { wat } from '../../../wasm/test/wasm.ts';
import { type Attack, INVALID_MODULE, OK } from './attack.ts';

const HEADER = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const END = 0x0b;
/** A module may have 100 MiB. */
const BOMB_BYTES = 101 * 1024 * 1024;
const REPLY = '(import "ic0" "msg_reply" (func $reply))';

const refused = (name: string, module: () => Uint8Array): Attack => ({
  name,
  by: 'install',
  ends: INVALID_MODULE,
  module,
});
const harmless = (name: string, module: () => Uint8Array): Attack => ({
  name,
  by: 'update',
  ends: OK,
  module,
});

type Section = readonly [id: number, fill: (body: ByteWriter) => void];

/** A module of these sections, whatever they hold. */
function sections(...list: readonly Section[]): Uint8Array {
  const out = new ByteWriter().raw(HEADER);
  for (const [id, fill] of list) out.byte(id).sized(fill);
  return out.view.slice();
}

const ONE_TYPE: Section = [1, (body) => body.u32(1).byte(0x60).u32(0).u32(0)];
const functions = (count: number): Section => [
  3,
  (body) => {
    body.u32(count).raw(new Uint8Array(count));
  },
];

/** `count` functions without parameters, each with this body (locals included). */
function bodies(count: number, body: Uint8Array): Uint8Array {
  const one = new ByteWriter().u32(body.length).raw(body).view.slice();
  return sections(ONE_TYPE, functions(count), [
    10,
    (code) => {
      code.u32(count);
      for (let left = count; left > 0; left--) code.raw(one);
    },
  ]);
}

const EMPTY_BODY = Uint8Array.of(0, END);
/** Nested blocks of one kind: 0x02 block, 0x03 loop. */
const nested = (opcode: number, depth: number): Uint8Array => {
  const body = new ByteWriter().u32(0);
  for (let left = depth; left > 0; left--) body.byte(opcode).byte(0x40);
  for (let left = depth; left >= 0; left--) body.byte(END);
  return bodies(1, body.view.slice());
};
/** A method that opens this many blocks, one in the other, then replies. The text format takes too long for these. */
const withNested = (depth: number, opening: Uint8Array): Uint8Array => {
  const body = new ByteWriter().u32(0);
  for (let left = depth; left > 0; left--) body.raw(opening);
  for (let left = depth; left > 0; left--) body.byte(END);
  body.byte(0x10).u32(0).byte(END);
  return sections(
    ONE_TYPE,
    [2, (out) => out.u32(1).name('ic0').name('msg_reply').byte(0).u32(0)],
    functions(1),
    [7, (out) => out.u32(1).name('canister_update f').byte(0).u32(1)],
    [10, (out) => out.u32(1).u32(body.length).raw(body.view)],
  );
};
const withCode = (declarations: string, code: string): Uint8Array =>
  wat(
    `(module ${REPLY} (memory 1) (func (export "canister_update f") ${declarations} ${code} (call $reply)))`,
  );
const repeat = (text: string, count: number): string => `${text} `.repeat(count);
const custom = (count: number, bytes: number): Uint8Array =>
  sections(
    ...Array.from(
      { length: count },
      (_, at): Section => [0, (body) => body.name(`icp:private ${at}`).raw(new Uint8Array(bytes))],
    ),
  );

/** Modules that ask for more than a canister may have, or that are costly to read, compile or keep. */
export const OVERSIZED: readonly Attack[] = [
  refused('a million functions', () => bodies(1_000_000, EMPTY_BODY)),
  refused('50 001 functions', () => bodies(50_001, EMPTY_BODY)),
  refused('11 MiB of code', () => bodies(40_000, new Uint8Array(300).fill(1).fill(0, 0, 1).fill(END, 299))),
  refused('50 001 locals', () => bodies(1, Uint8Array.of(1, 0xd1, 0x86, 3, 0x7f, END))),
  refused('2^32 locals', () => bodies(1, Uint8Array.of(2, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x7f, 1, 0x7e, END))),
  refused('1 001 parameters', () => wat(`(module (func (param ${repeat('i32', 1_001)})))`)),
  refused('1 001 globals', () => wat(`(module ${repeat('(global i32 (i32.const 0))', 1_001)})`)),
  refused('1 001 methods', () =>
    wat(
      `(module (func $f) ${Array.from({ length: 1_001 }, (_, i) => `(export "canister_query ${i}" (func $f))`).join('')})`,
    ),
  ),
  refused('method names of 20 001 bytes', () =>
    wat(`(module (func (export "canister_update ${'x'.repeat(20_001)}")))`),
  ),
  refused('a name of 100 001 bytes', () => wat(`(module (func (export "${'x'.repeat(100_001)}")))`)),
  refused('17 metadata sections', () => custom(17, 1)),
  refused('metadata of more than 1 MiB', () => custom(2, 600_000)),
  refused('20 000 nested blocks', () => nested(0x02, 20_000)),
  refused('a million nested loops', () => nested(0x03, 1_000_000)),
  refused('a million instructions in one function', () =>
    bodies(1, new Uint8Array(1_100_002).fill(1).fill(0, 0, 1).fill(END, 1_100_001)),
  ),
  refused('a table of branches with 100 000 entries', () =>
    wat(`(module (func (br_table ${repeat('0', 100_000)} (i32.const 0))))`),
  ),
  refused('100 001 data segments', () => wat(`(module (memory 1) ${repeat('(data "")', 100_001)})`)),
  refused('data outside the memory', () => wat('(module (memory 1) (data (i32.const 65535) "ab"))')),
  refused('data at the end of the address space', () => wat('(module (memory 1) (data (i32.const -1) "a"))')),
  refused('data at the end of a 64-bit address space', () =>
    wat('(module (memory i64 1) (data (i64.const -1) "a"))'),
  ),
  refused('elements outside the table', () =>
    wat('(module (table 1 funcref) (elem (i32.const 1) $f) (func $f))'),
  ),
  refused('a table of ten million entries', () => wat('(module (table 10000000 funcref))')),
  refused('a table of four thousand million entries', () => wat('(module (table 0xffffffff funcref))')),
  refused('two tables', () => wat('(module (table 1 funcref) (table 1 externref))')),
  refused('more memory than 6 GiB', () => wat('(module (memory i64 98305))')),
  refused('2^48 pages of memory', () => wat('(module (memory i64 0x1000000000000))')),
  refused('twenty thousand imports', () =>
    wat(`(module ${Array.from({ length: 20_000 }, (_, i) => `(import "ic0" "f${i}" (func))`).join('')})`),
  ),
  refused('a gzip bomb', () => gzipSync(new Uint8Array(BOMB_BYTES), { level: 1 })),
  refused('a gzip bomb with a module in front', () =>
    gzipSync(sections([0, (body) => body.name('x').raw(new Uint8Array(BOMB_BYTES))]), { level: 1 }),
  ),
  refused('gzip in gzip', () => gzipSync(gzipSync(wat('(module)')))),
  refused('a broken gzip stream', () => gzipSync(wat('(module)')).subarray(0, 20)),
  harmless('50 000 functions', () =>
    wat(`(module ${REPLY} (func (export "canister_update f") (call $reply)) ${repeat('(func)', 49_998)})`),
  ),
  harmless('40 000 locals', () => withCode(`(local ${repeat('i64', 40_000)})`, '')),
  harmless('15 000 nested blocks', () => withNested(15_000, Uint8Array.of(0x02, 0x40))),
  harmless('15 000 nested loops', () => withNested(15_000, Uint8Array.of(0x03, 0x40))),
  harmless('15 000 nested ifs', () => withNested(15_000, Uint8Array.of(0x41, 1, 0x04, 0x40))),
  harmless('a table of branches with 60 000 entries', () =>
    withCode('', `(block (br_table ${repeat('0', 60_000)} (i32.const 59999)))`),
  ),
  harmless('200 000 additions in one expression', () =>
    withCode('', `i32.const 1 ${repeat('i32.const 1 i32.add', 200_000)} drop`),
  ),
  harmless('19 000 calls in one function', () =>
    wat(`(module ${REPLY} (func $g)
      (func (export "canister_update f") ${repeat('(call $g)', 19_000)} (call $reply)))`),
  ),
  harmless('a thousand locals through a hundred loops', () =>
    withCode(
      `(local ${repeat('i32', 1_000)})`,
      `${repeat('loop', 100)} ${Array.from({ length: 1_000 }, (_, i) => `local.get ${i} i32.const 1 i32.add local.set ${(i + 1) % 1_000}`).join(' ')} ${repeat('end', 100)}`,
    ),
  ),
];
