import { Bytes } from '../base/bytes';
import { CandidReader, Fields } from '../candid/candid-reader';
import { publish } from '../content/certification';
import { certifyAll } from '../content/routes';
import { refreshEnvironment } from '../base/environment';
import * as f from '../candid/field-ids';
import { COMMIT, grant, MANAGE_PERMISSIONS, PREPARE, setHolders } from '../content/permissions';
import { loadIndex } from './persistence';
import { argument, caller } from '../base/system';

/** Who installs may commit, unless the argument says who may. */
export function initialize(): void {
  grant(COMMIT, caller());
  readInstallArgument(f.TAG_INIT, 'Init');
  start();
}

export function resume(): void {
  loadIndex();
  readInstallArgument(f.TAG_UPGRADE, 'Upgrade');
  start();
}

function start(): void {
  refreshEnvironment();
  certifyAll();
  publish();
}

/** Reads `opt variant { Init; Upgrade : record { set_permissions : opt SetPermissions } }`. */
function readInstallArgument(tag: u32, name: string): void {
  const source = argument();
  if (source.length === 0) return;
  const reader = new CandidReader(source);
  const outer = reader.argument();
  if (!reader.present(outer)) return;
  const variant = reader.elementType(outer);
  const index = reader.variantIndex(variant);
  if (reader.fieldIds(variant)[index] !== tag) reader.fail('expected the variant ' + name);
  for (const fields = new Fields(reader, reader.fieldTypes(variant)[index]); fields.next(); ) {
    if (fields.id !== f.SET_PERMISSIONS) reader.skip(fields.type);
    else if (reader.present(fields.type)) readPermissions(reader, reader.elementType(fields.type));
  }
}

function readPermissions(reader: CandidReader, type: i32): void {
  for (const fields = new Fields(reader, type); fields.next(); ) {
    switch (fields.id) {
      case f.PREPARE: setHolders(PREPARE, readPrincipals(reader, fields.type)); break;
      case f.COMMIT: setHolders(COMMIT, readPrincipals(reader, fields.type)); break;
      case f.MANAGE_PERMISSIONS: setHolders(MANAGE_PERMISSIONS, readPrincipals(reader, fields.type)); break;
      default: reader.skip(fields.type);
    }
  }
}

function readPrincipals(reader: CandidReader, type: i32): Array<Bytes> {
  const principals: Array<Bytes> = [];
  for (let left = reader.vecLength(type); left > 0; left--) principals.push(reader.principal(reader.itemType(type)));
  return principals;
}
