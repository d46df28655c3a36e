import { CandidError } from '@cannery/candid/errors';
import { labelHash } from '@cannery/candid/label';
import { Op, WireMessage } from '@cannery/candid/wire-message';
import { IDL } from '@icp-sdk/core/candid';
import { replicaErrors } from '@cannery/ic/errors';
import { ArgumentCosts } from '../../system-api/argument-costs.ts';

/** Fields of management arguments that hold large blobs. */
const BLOB_FIELDS: ReadonlyMap<number, string> = new Map(
  ['wasm_module', 'arg', 'chunk'].map((name) => [labelHash(name), name]),
);

interface Lifted {
  /** The message with the large blobs emptied. */
  readonly rest: Uint8Array;
  readonly blobs: ReadonlyMap<string, Uint8Array>;
}

/**
 * The argument of a management method. The general decoder takes some 20 ms a megabyte, so large blobs are cut out
 * before it runs and put back after. Throws `invalidPayload` when the bytes are no value of the type.
 */
export function decodeArgument(type: IDL.Type, bytes: Uint8Array): unknown {
  try {
    const { rest, blobs } = liftBlobs(bytes);
    const value = IDL.decode([type], rest)[0] as unknown;
    for (const [name, blob] of blobs) replaceBlob(value, name, blob);
    return value;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw replicaErrors.invalidPayload(`Error decoding candid: ${reason}`);
  }
}

function replaceBlob(value: unknown, name: string, blob: Uint8Array): void {
  if (typeof value !== 'object' || value === null) return;
  const record = value as Record<string, unknown>;
  if (record[name] instanceof Uint8Array) record[name] = blob;
}

/** Walks the whole message, which also bounds the work of the decoder that runs on the rest. */
function liftBlobs(bytes: Uint8Array): Lifted {
  const message = new WireMessage(bytes, new ArgumentCosts());
  const [type, ...more] = message.types;
  if (type === undefined) throw new CandidError('the argument is missing');
  const record = message.entry(type, Op.record);
  const pieces: Uint8Array[] = [];
  const blobs = new Map<string, Uint8Array>();
  let kept = 0;
  for (const field of record?.fields ?? []) {
    const name = BLOB_FIELDS.get(field.hash);
    if (name === undefined || !message.isBlob(field.type)) {
      message.skip(field.type);
      continue;
    }
    pieces.push(bytes.subarray(kept, message.reader.offset), Uint8Array.of(0));
    blobs.set(name, message.blob(field.type).slice());
    kept = message.reader.offset;
  }
  if (!record) message.skip(type);
  for (const other of more) message.skip(other);
  pieces.push(bytes.subarray(kept));
  // The decoder reads the whole underlying buffer, so it gets its own array.
  return { rest: Uint8Array.from(Buffer.concat(pieces)), blobs };
}
