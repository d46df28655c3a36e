import { gunzipSync } from 'node:zlib';
import { MAX_WASM_MODULE_BYTES } from '@cannery/ic/limits';
import type { SnapshotGlobal } from '../../state/snapshot.ts';
import { OP } from '@cannery/wasm/module/opcodes';
import { parseModule } from '@cannery/wasm/module/parse-module';
import { ByteReader } from '@cannery/wasm/module/reader';
import { valueTypeName } from '@cannery/wasm/module/value-types';

/** A global that a snapshot shows: one that is mutable or exported. */
interface ShownGlobal {
  readonly type: SnapshotGlobal['type'];
  readonly mutable: boolean;
  /** Bits of the initial value. */
  readonly initial: bigint;
}

/** Globals of a module as the state of a canister holds them: the mutable ones, `v128` as two 64-bit lanes. */
type StateGlobals = readonly (number | bigint)[];

const LANE = 64n;
const WIDTHS = { i32: 32, i64: 64, f32: 32, f64: 64, v128: 128 } as const;

function unpacked(module: Uint8Array): Uint8Array {
  const isGzip = module[0] === 0x1f && module[1] === 0x8b;
  return isGzip ? new Uint8Array(gunzipSync(module, { maxOutputLength: MAX_WASM_MODULE_BYTES })) : module;
}

function bitsOf(bytes: Uint8Array): bigint {
  return bytes.reduceRight((bits, byte) => (bits << 8n) | BigInt(byte), 0n);
}

/** Bits of a constant expression; `earlier` holds those of the globals before. */
function constant(reader: ByteReader, earlier: readonly bigint[]): bigint {
  const opcode = reader.byte();
  let bits: bigint;
  if (opcode === OP.i32Const) bits = BigInt.asUintN(32, reader.s64());
  else if (opcode === OP.i64Const) bits = BigInt.asUintN(64, reader.s64());
  else if (opcode === OP.f32Const) bits = bitsOf(reader.take(4));
  else if (opcode === OP.f64Const) bits = bitsOf(reader.take(8));
  else if (opcode === OP.globalGet) bits = earlier[reader.u32()] ?? 0n;
  else {
    reader.u32();
    bits = bitsOf(reader.take(16));
  }
  reader.skip(1);
  return bits;
}

/** The globals of a valid module, raw or gzip, that are mutable or exported, in the order of their index. */
export function shownGlobals(module: Uint8Array): readonly ShownGlobal[] {
  const source = parseModule(unpacked(module));
  const exported = new Set(source.exports.flatMap(({ kind, index }) => (kind === 'global' ? [index] : [])));
  const reader = new ByteReader(source.raw.globals);
  const values: bigint[] = [];
  return source.globals.flatMap(({ type, mutable }, index) => {
    reader.skip(2);
    const initial = constant(reader, values);
    values.push(initial);
    const name = valueTypeName(type) as SnapshotGlobal['type'];
    return mutable || exported.has(index) ? [{ type: name, mutable, initial }] : [];
  });
}

/** What a snapshot of the state shows of the module's globals. */
export function snapshotGlobals(shown: readonly ShownGlobal[], state: StateGlobals): SnapshotGlobal[] {
  let position = 0;
  const next = (width: number): bigint => BigInt.asUintN(width, BigInt(state[position++] ?? 0));
  return shown.map(({ type, mutable, initial }) => {
    if (!mutable) return { type, bits: initial };
    if (type !== 'v128') return { type, bits: next(WIDTHS[type]) };
    const low = next(64);
    return { type, bits: (next(64) << LANE) | low };
  });
}

/** The state that a snapshot's globals stand for, or nothing when they are not those of the module. */
export function stateGlobals(
  shown: readonly ShownGlobal[],
  globals: readonly SnapshotGlobal[],
): StateGlobals | undefined {
  const fits = shown.length === globals.length && shown.every(({ type }, i) => type === globals[i]?.type);
  if (!fits) return undefined;
  return shown.flatMap(({ type, mutable }, index): (number | bigint)[] => {
    const bits = globals[index]?.bits ?? 0n;
    if (!mutable) return [];
    if (type === 'v128') return [BigInt.asIntN(64, bits), BigInt.asIntN(64, bits >> LANE)];
    return WIDTHS[type] === 32 ? [Number(BigInt.asIntN(32, bits))] : [BigInt.asIntN(64, bits)];
  });
}
