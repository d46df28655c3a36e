import { ByteReader } from '../base/byte-reader';
import { Bytes, sameBytes } from '../base/bytes';
import { HOLDERS, record } from '../base/journal';
import { caller, isController, trap } from '../base/system';

export const COMMIT: i32 = 0;
export const MANAGE_PERMISSIONS: i32 = 1;
export const PREPARE: i32 = 2;
const NAMES: StaticArray<string> = ['Commit', 'ManagePermissions', 'Prepare'];

/** The principals that hold each permission, by its number. */
const holders: Array<Array<Bytes>> = [[], [], []];

function indexOf(permission: i32, principal: Bytes): i32 {
  const list = holders[permission];
  for (let i = 0; i < list.length; i++) {
    if (sameBytes(list[i], principal)) return i;
  }
  return -1;
}

export function holds(permission: i32, principal: Bytes): bool {
  return indexOf(permission, principal) >= 0;
}

export function listHolders(permission: i32): Array<Bytes> {
  return holders[permission];
}

export function grant(permission: i32, principal: Bytes): void {
  if (holds(permission, principal)) return;
  holders[permission].push(principal);
  recordHolders(permission);
}

export function revoke(permission: i32, principal: Bytes): void {
  const index = indexOf(permission, principal);
  if (index < 0) return;
  holders[permission].splice(index, 1);
  recordHolders(permission);
}

export function setHolders(permission: i32, principals: Array<Bytes>): void {
  holders[permission] = [];
  for (let i = 0; i < principals.length; i++) {
    if (!holds(permission, principals[i])) holders[permission].push(principals[i]);
  }
  recordHolders(permission);
}

/** Traps unless the caller is a controller or holds the permission; who may commit may also prepare. */
export function requirePermission(permission: i32): void {
  const principal = caller();
  if (holds(permission, principal)) return;
  if (permission === PREPARE && holds(COMMIT, principal)) return;
  if (isController(principal)) return;
  trap('Caller does not have ' + NAMES[permission] + ' permission and is not a controller.');
}

export function requireController(): void {
  if (!isController(caller())) trap('Caller is not a controller.');
}

/** Everyone may give up a permission; taking it from others is for those who manage permissions. */
export function requireRevocation(permission: i32, principal: Bytes): void {
  const own = sameBytes(principal, caller());
  requirePermission(own ? permission : MANAGE_PERMISSIONS);
}

function recordHolders(permission: i32): void {
  const list = holders[permission];
  const writer = record(HOLDERS);
  writer.u8(<u8>permission);
  writer.u32(list.length);
  for (let i = 0; i < list.length; i++) {
    writer.u8(<u8>list[i].length);
    writer.bytes(list[i]);
  }
}

export function recordAllHolders(): void {
  for (let permission = 0; permission < holders.length; permission++) recordHolders(permission);
}

export function restoreHolders(reader: ByteReader): void {
  const permission = reader.u8();
  const list: Array<Bytes> = [];
  for (let left = reader.u32(); left > 0; left--) list.push(reader.slice(reader.u8()).toBytes());
  holders[permission] = list;
}

export function nameOf(permission: i32): string {
  return NAMES[permission];
}
