import { IDL, idlLabelToId } from '@icp-sdk/core/candid';
import { replicaErrors } from '../../errors.ts';
import { CandidWire, CandidWireError } from '../../system-api/candid-wire.ts';

/** Fields of management arguments that hold large blobs. */
const BLOB_FIELDS: ReadonlyMap<number, string> = new Map(
  ['wasm_module', 'arg', 'chunk'].map((name) => [idlLabelToId(name), name]),
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
  const wire = new CandidWire(bytes);
  const [type, ...more] = wire.header();
  if (type === undefined) throw new CandidWireError('The argument is missing');
  const entry = wire.entry(type);
  const pieces: Uint8Array[] = [];
  const blobs = new Map<string, Uint8Array>();
  let kept = 0;
  for (const field of entry?.kind === 'record' ? entry.fields : []) {
    const name = BLOB_FIELDS.get(field.hash);
    if (name === undefined || !wire.isBlob(field.type)) {
      wire.skip(field.type);
      continue;
    }
    pieces.push(bytes.subarray(kept, wire.position), Uint8Array.of(0));
    const length = wire.unsigned();
    const start = wire.advance(length);
    blobs.set(name, bytes.slice(start, start + length));
    kept = start + length;
  }
  if (entry?.kind !== 'record') wire.skip(type);
  for (const other of more) wire.skip(other);
  pieces.push(bytes.subarray(kept));
  // The decoder reads the whole underlying buffer, so it gets its own array.
  return { rest: Uint8Array.from(Buffer.concat(pieces)), blobs };
}
