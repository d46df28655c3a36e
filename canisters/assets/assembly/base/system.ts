import { addressOf, Bytes, Slice, utf8 } from './bytes';
import { ByteWriter } from './byte-writer';
import * as ic0 from './ic0';

/** Ends the message with an error for the caller; nothing it did is kept. */
export function trap(message: string): void {
  const bytes = utf8(message);
  ic0.trap(addressOf(bytes), bytes.length);
  unreachable();
}

/** What AssemblyScript's runtime calls on a failed check (index out of range, out of memory). */
export function abort(message: string | null, _file: string | null, line: u32, _column: u32): void {
  trap((message === null ? 'internal error' : message) + ' (line ' + line.toString() + ')');
}

let argumentBuffer: usize = 0;

/** The argument of this message. The memory belongs to the message: `releaseArgument` gives it back. */
export function argument(): Slice {
  const size = ic0.msg_arg_data_size();
  argumentBuffer = heap.alloc(size);
  ic0.msg_arg_data_copy(argumentBuffer, 0, size);
  return new Slice(argumentBuffer, size);
}

/** The argument, kept beyond this message: `heap.free` gives its memory back. */
export function keptArgument(): Slice {
  const kept = argument();
  argumentBuffer = 0;
  return kept;
}

export function releaseArgument(): void {
  if (argumentBuffer !== 0) heap.free(argumentBuffer);
  argumentBuffer = 0;
}

export function reply(writer: ByteWriter): void {
  ic0.msg_reply_data_append(writer.pointer, writer.length);
  ic0.msg_reply();
}

export function caller(): Bytes {
  const bytes = new StaticArray<u8>(ic0.msg_caller_size());
  ic0.msg_caller_copy(addressOf(bytes), 0, bytes.length);
  return bytes;
}

export function self(): Bytes {
  const bytes = new StaticArray<u8>(ic0.canister_self_size());
  ic0.canister_self_copy(addressOf(bytes), 0, bytes.length);
  return bytes;
}

export function isController(principal: Bytes): bool {
  return ic0.is_controller(addressOf(principal), principal.length) === 1;
}

/** Nanoseconds since 1970. */
export function now(): i64 {
  return ic0.time();
}

export function certify(rootHash: Bytes): void {
  ic0.certified_data_set(addressOf(rootHash), rootHash.length);
}

/** The certificate over the root hash; the system hands it out in query calls only. */
export function dataCertificate(): Bytes {
  if (ic0.data_certificate_present() === 0) trap('no data certificate available: call this method as a query');
  const bytes = new StaticArray<u8>(ic0.data_certificate_size());
  ic0.data_certificate_copy(addressOf(bytes), 0, bytes.length);
  return bytes;
}
