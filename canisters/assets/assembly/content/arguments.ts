import { Header, NO, Properties, YES } from './asset';
import { Bytes, Slice } from '../base/bytes';
import { CandidReader, Fields } from '../candid/candid-reader';
import * as f from '../candid/field-ids';
import { COMMIT, MANAGE_PERMISSIONS, PREPARE } from './permissions';
import { argument } from '../base/system';

/** Opens the argument of this message. */
export function readArgument(): CandidReader {
  return new CandidReader(argument());
}

/** The fields of a record argument, whichever of them the sender gave. Which are required, each method checks. */
export class Request {
  key: string | null = null;
  contentType: string | null = null;
  contentEncoding: string | null = null;
  hasBatch: bool = false;
  batch: u64 = 0;
  hasIndex: bool = false;
  index: u64 = 0;
  content: Slice | null = null;
  hash: Slice | null = null;
  chunkIds: Array<u64> = [];
  lastChunk: Slice | null = null;
  evidence: Bytes | null = null;
  start: u64 = 0;
  length: u64 = u64.MAX_VALUE;
  accepted: Array<string> = [];
  principal: Bytes | null = null;
  permission: i32 = -1;
  properties: Properties = new Properties();

  constructor(private reader: CandidReader) {}

  needKey(): string {
    const key = this.key;
    if (key === null) this.missing('key');
    return key!;
  }

  needContentType(): string {
    const contentType = this.contentType;
    if (contentType === null) this.missing('content_type');
    return contentType!;
  }

  needContentEncoding(): string {
    const contentEncoding = this.contentEncoding;
    if (contentEncoding === null) this.missing('content_encoding');
    return contentEncoding!;
  }

  needContent(): Slice {
    const content = this.content;
    if (content === null) this.missing('content');
    return content!;
  }

  needBatch(): u64 {
    if (!this.hasBatch) this.missing('batch_id');
    return this.batch;
  }

  needIndex(): u64 {
    if (!this.hasIndex) this.missing('index');
    return this.index;
  }

  needEvidence(): Bytes {
    const evidence = this.evidence;
    if (evidence === null) this.missing('evidence');
    return evidence!;
  }

  needPermission(): i32 {
    if (this.permission < 0) this.missing('permission');
    return this.permission;
  }

  needPrincipal(name: string): Bytes {
    const principal = this.principal;
    if (principal === null) this.missing(name);
    return principal!;
  }

  private missing(name: string): void {
    this.reader.fail('field ' + name + ' is missing');
  }
}

/** Reads a record of the fields that describe an asset, its content or its place in a batch. */
export function readRequest(reader: CandidReader, type: i32): Request {
  const request = new Request(reader);
  for (const fields = new Fields(reader, type); fields.next(); ) {
    if (!readAssetField(reader, fields, request) && !readOtherField(reader, fields, request)) {
      reader.skip(fields.type);
    }
  }
  return request;
}

function readAssetField(reader: CandidReader, fields: Fields, request: Request): bool {
  const type = fields.type;
  switch (fields.id) {
    case f.KEY: request.key = reader.text(type); return true;
    case f.CONTENT_TYPE: request.contentType = reader.text(type); return true;
    case f.CONTENT_ENCODING: request.contentEncoding = reader.text(type); return true;
    case f.MAX_AGE: readMaxAge(reader, type, request.properties); return true;
    case f.HEADERS: readHeaders(reader, type, request.properties); return true;
    case f.ENABLE_ALIASING:
    case f.IS_ALIASED: request.properties.aliased = readOptBool(reader, type, request.properties.aliased); return true;
    case f.ALLOW_RAW_ACCESS: request.properties.rawAccess = readOptBool(reader, type, request.properties.rawAccess); return true;
    default: return false;
  }
}

function readOtherField(reader: CandidReader, fields: Fields, request: Request): bool {
  const type = fields.type;
  switch (fields.id) {
    case f.BATCH_ID: request.batch = reader.nat(type); request.hasBatch = true; return true;
    case f.INDEX: request.index = reader.nat(type); request.hasIndex = true; return true;
    case f.CONTENT: request.content = reader.blob(type); return true;
    case f.SHA256: if (reader.present(type)) request.hash = reader.blob(reader.elementType(type)); return true;
    case f.LAST_CHUNK: if (reader.present(type)) request.lastChunk = reader.blob(reader.elementType(type)); return true;
    case f.CHUNK_IDS: {
      for (let left = reader.vecLength(type); left > 0; left--) request.chunkIds.push(reader.nat(reader.itemType(type)));
      return true;
    }
    case f.START: if (reader.present(type)) request.start = reader.nat(reader.elementType(type)); return true;
    case f.LENGTH: if (reader.present(type)) request.length = reader.nat(reader.elementType(type)); return true;
    case f.ACCEPT_ENCODINGS: {
      for (let left = reader.vecLength(type); left > 0; left--) request.accepted.push(reader.text(reader.itemType(type)));
      return true;
    }
    case f.EVIDENCE: request.evidence = reader.blob(type).toBytes(); return true;
    case f.PERMISSION: request.permission = readPermission(reader, type); return true;
    case f.TO_PRINCIPAL:
    case f.OF_PRINCIPAL: request.principal = reader.principal(type); return true;
    default: return false;
  }
}

function readMaxAge(reader: CandidReader, type: i32, properties: Properties): void {
  if (!reader.present(type)) return;
  properties.maxAge = reader.nat64(reader.elementType(type));
  properties.hasMaxAge = true;
}

function readHeaders(reader: CandidReader, type: i32, properties: Properties): void {
  if (reader.present(type)) properties.headers = readHeaderList(reader, reader.elementType(type));
}

function readOptBool(reader: CandidReader, type: i32, otherwise: i8): i8 {
  if (!reader.present(type)) return otherwise;
  return reader.bool(reader.elementType(type)) ? YES : NO;
}

export function readHeaderList(reader: CandidReader, type: i32): Array<Header> {
  const headers: Array<Header> = [];
  for (let left = reader.vecLength(type); left > 0; left--) {
    let name = '';
    let value = '';
    for (const fields = new Fields(reader, reader.itemType(type)); fields.next(); ) {
      if (fields.id === 0) name = reader.text(fields.type);
      else if (fields.id === 1) value = reader.text(fields.type);
      else reader.skip(fields.type);
    }
    headers.push(new Header(name, value));
  }
  return headers;
}

function readPermission(reader: CandidReader, type: i32): i32 {
  const index = reader.variantIndex(type);
  const tag = reader.fieldIds(type)[index];
  reader.skip(reader.fieldTypes(type)[index]);
  switch (tag) {
    case f.TAG_COMMIT: return COMMIT;
    case f.TAG_MANAGE_PERMISSIONS: return MANAGE_PERMISSIONS;
    case f.TAG_PREPARE: return PREPARE;
    default: reader.fail('unknown permission'); return -1;
  }
}

/** Changes `properties` as a `set_asset_properties` record says: each field is `opt opt`, absent for "leave it". */
export function readPropertyChanges(reader: CandidReader, type: i32, changes: PropertyChanges): void {
  for (const fields = new Fields(reader, type); fields.next(); ) {
    const outer = fields.type;
    switch (fields.id) {
      case f.KEY: changes.key = reader.text(outer); break;
      case f.MAX_AGE: changes.setsMaxAge = reader.present(outer);
        if (changes.setsMaxAge) readMaxAge(reader, reader.elementType(outer), changes.values);
        break;
      case f.HEADERS: changes.setsHeaders = reader.present(outer);
        if (changes.setsHeaders) readHeaders(reader, reader.elementType(outer), changes.values);
        break;
      case f.IS_ALIASED: changes.setsAliased = reader.present(outer);
        if (changes.setsAliased) changes.values.aliased = readOptBool(reader, reader.elementType(outer), -1);
        break;
      case f.ALLOW_RAW_ACCESS: changes.setsRawAccess = reader.present(outer);
        if (changes.setsRawAccess) changes.values.rawAccess = readOptBool(reader, reader.elementType(outer), -1);
        break;
      default: reader.skip(outer);
    }
  }
  if (changes.key === null) reader.fail('field key is missing');
}

export class PropertyChanges {
  key: string | null = null;
  values: Properties = new Properties();
  setsMaxAge: bool = false;
  setsHeaders: bool = false;
  setsAliased: bool = false;
  setsRawAccess: bool = false;

  /** The properties that `present` become. */
  applyTo(present: Properties): Properties {
    const result = new Properties();
    const age = this.setsMaxAge ? this.values : present;
    result.hasMaxAge = age.hasMaxAge;
    result.maxAge = age.maxAge;
    result.headers = this.setsHeaders ? this.values.headers : present.headers;
    result.aliased = this.setsAliased ? this.values.aliased : present.aliased;
    result.rawAccess = this.setsRawAccess ? this.values.rawAccess : present.rawAccess;
    return result;
  }
}
