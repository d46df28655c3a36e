import { readArgument } from '../content/arguments';
import { Bytes } from '../base/bytes';
import { CandidReader, Fields } from '../candid/candid-reader';
import { CandidWriter, Schema } from '../candid/candid-schema';
import { NAT64 } from '../candid/candid-types';
import * as f from '../candid/field-ids';
import { COMMIT, PREPARE, requirePermission } from '../content/permissions';
import { replyNothing } from './replies';
import { Limit, maxBatches, maxBytes, maxChunks, recordSettings } from '../content/settings';
import { reply } from '../base/system';

const CONFIGURATION_FIELDS: StaticArray<u32> = [f.MAX_BATCHES, f.MAX_BYTES, f.MAX_CHUNKS];

function configurationResult(): Bytes {
  const schema = new Schema();
  const optNat64 = schema.opt(NAT64);
  return schema.results([schema.record(CONFIGURATION_FIELDS, [optNat64, optNat64, optNat64])]);
}

const CONFIGURATION_RESULT = configurationResult();

/** What `configure` is to change: absent fields (`null`) stay. */
export class ConfigurationChanges {
  maxBatches: Limit | null = null;
  maxChunks: Limit | null = null;
  maxBytes: Limit | null = null;

  static read(reader: CandidReader): ConfigurationChanges {
    const changes = new ConfigurationChanges();
    for (const fields = new Fields(reader, reader.argument()); fields.next(); ) {
      switch (fields.id) {
        case f.MAX_BATCHES: changes.maxBatches = readChange(reader, fields.type); break;
        case f.MAX_CHUNKS: changes.maxChunks = readChange(reader, fields.type); break;
        case f.MAX_BYTES: changes.maxBytes = readChange(reader, fields.type); break;
        default: reader.skip(fields.type);
      }
    }
    return changes;
  }
}

/** Reads `opt opt nat64`. */
function readChange(reader: CandidReader, type: i32): Limit | null {
  if (!reader.present(type)) return null;
  const limit = new Limit();
  const inner = reader.elementType(type);
  limit.present = reader.present(inner);
  if (limit.present) limit.value = reader.nat64(reader.elementType(inner));
  return limit;
}

function change(limit: Limit, to: Limit | null): void {
  if (to === null) return;
  limit.present = to.present;
  limit.value = to.value;
}

export function configureMethod(): void {
  requirePermission(COMMIT);
  const changes = ConfigurationChanges.read(readArgument());
  change(maxBatches, changes.maxBatches);
  change(maxChunks, changes.maxChunks);
  change(maxBytes, changes.maxBytes);
  recordSettings();
  replyNothing();
}

function writeLimit(writer: CandidWriter, limit: Limit): void {
  if (!limit.present) {
    writer.none();
    return;
  }
  writer.some();
  writer.u64(limit.value);
}

export function getConfigurationMethod(): void {
  requirePermission(PREPARE);
  const writer = new CandidWriter(CONFIGURATION_RESULT);
  writeLimit(writer, maxBatches);
  writeLimit(writer, maxBytes);
  writeLimit(writer, maxChunks);
  reply(writer);
}
