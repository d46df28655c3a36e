import { equalBytes } from '@cannery/ic/certification/bytes';
import { free } from '@cannery/replica/engine/hand-over';
import { CandidError } from '@cannery/candid/errors';
import { queryCanister } from './canister-http.ts';
import type { StreamingCallback } from '../proof/http-messages.ts';
import type { Reading } from '../reading/read-answer.ts';
import type { Visit } from './visit.ts';

/** Longest body that comes in pieces, in bytes. */
const MAX_STREAMED_BYTES = 512 * 1024 * 1024;
/** Most pieces of a body; a canister sends up to 3 MB in one. */
export const MAX_PIECES = 4_096;
/** Pieces without any bytes; they bring a body no further. */
const MAX_EMPTY_PIECES = 16;

/**
 * The pieces of a body after its first, each asked for when the one before is taken, which is gone then. Throws
 * `CandidError` when they are too many or too long, and the reason of the visit's signal when the client has gone.
 * @param areKept whether the pieces are kept for the client
 */
export async function* streamedPieces(
  { parts: { admission, readers, service }, visitor, canisterId, signal }: Visit,
  start: Uint8Array,
  { canisterId: callbackCanister, method, arg }: StreamingCallback,
  areKept: boolean,
): AsyncGenerator<Uint8Array> {
  if (!equalBytes(callbackCanister, canisterId)) {
    throw new CandidError('the streaming callback belongs to another canister');
  }
  let length = start.length;
  let empty = 0;
  let next: Uint8Array | undefined = arg;
  for (let count = 1; next !== undefined; count += 1) {
    if (count > MAX_PIECES) throw new CandidError('the streamed body has too many pieces');
    const argument: Uint8Array = next;
    const ask = async (): Promise<Reading<'piece'>> => {
      const reply = await queryCanister(service, canisterId, method, argument);
      return readers.read<'piece'>(visitor.canister, { kind: 'piece', reply });
    };
    const { chunk } = await admission.ask(visitor, signal, ask, areKept);
    if (!chunk) return;
    length += chunk.body.length;
    if (length > MAX_STREAMED_BYTES) throw new CandidError('the streamed body is too long');
    if (chunk.body.length === 0) empty += 1;
    if (empty > MAX_EMPTY_PIECES) throw new CandidError('the streamed body has too many empty pieces');
    if (chunk.body.length > 0) yield chunk.body;
    free(chunk.body);
    next = chunk.nextArg;
  }
}
