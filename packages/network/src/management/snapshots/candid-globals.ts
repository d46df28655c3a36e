import type { SnapshotGlobal } from '../../state/snapshot.ts';
import type { IcTypes } from '../generated/ic-interface.ts';

type CandidGlobal = IcTypes['global'];

/** A global as `read_canister_snapshot_metadata` shows it. */
export function candidGlobal({ type, bits }: SnapshotGlobal): CandidGlobal {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt.asUintN(64, bits));
  if (type === 'i32') return { i32: view.getInt32(4) };
  if (type === 'i64') return { i64: view.getBigInt64(0) };
  if (type === 'f32') return { f32: view.getFloat32(4) };
  if (type === 'f64') return { f64: view.getFloat64(0) };
  return { v128: bits };
}

/** The global a client uploaded. */
export function globalOf(value: CandidGlobal): SnapshotGlobal {
  const view = new DataView(new ArrayBuffer(8));
  if ('v128' in value) return { type: 'v128', bits: BigInt.asUintN(128, value.v128) };
  if ('i64' in value) return { type: 'i64', bits: BigInt.asUintN(64, value.i64) };
  if ('i32' in value) return { type: 'i32', bits: BigInt(value.i32 >>> 0) };
  if ('f32' in value) {
    view.setFloat32(4, value.f32);
    return { type: 'f32', bits: view.getBigUint64(0) };
  }
  view.setFloat64(0, value.f64);
  return { type: 'f64', bits: view.getBigUint64(0) };
}
