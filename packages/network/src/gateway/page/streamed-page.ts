import { createHash } from 'node:crypto';
import { equalBytes } from '@cannery/ic/certification/bytes';
import type { Asked } from '../proof/claim.ts';
import type { WholePage } from './cut-page.ts';
import type { Page } from './send-page.ts';
import type { StreamingCallback } from '../proof/http-messages.ts';
import type { PlainResponse } from './partial-response.ts';
import { streamedPieces } from './streamed-body.ts';
import { VerificationError } from '../proof/verification-error.ts';
import { checkClaim } from '../proof/verify-response.ts';
import type { Visit } from './visit.ts';

/** A body that is no longer is put together before it is sent, in bytes: the client is told its length. */
const COLLECTED_BYTES = 256 * 1024;

/** Passes the pieces of a body on as they come; nothing has to be known of the whole. */
export async function passedOn(
  visit: Visit,
  start: PlainResponse,
  callback: StreamingCallback,
): Promise<Page> {
  const pieces = streamedPieces(visit, start.body, callback, true);
  const collected: Uint8Array[] = [start.body];
  let length = start.body.length;
  let release = visit.keep(length);
  while (length <= COLLECTED_BYTES) {
    const next = await pieces.next();
    if (!next.done) {
      collected.push(next.value.slice());
      length += next.value.length;
    }
    release();
    if (next.done) return { ...start, body: Buffer.concat(collected, length), length };
    release = visit.keep(length);
  }
  release();
  return { ...start, body: Buffer.concat(collected, length), rest: pieces, length: undefined };
}

/**
 * Verifies a body that comes in pieces before any of it is sent, without keeping it: certificates cover the whole body.
 * All pieces are asked for once to be hashed. Where they are more than is collected, they are asked for again to be sent,
 * and each has to be what it was. Throws `VerificationError`.
 */
export async function verifiedStream(
  visit: Visit,
  asked: Asked,
  start: PlainResponse,
  callback: StreamingCallback,
): Promise<WholePage> {
  const { status, headers } = start;
  const { readers, service } = visit.parts;
  const seen = new Prefixes();
  let collected: Uint8Array[] | undefined = [];
  let length = 0;
  // The first piece is kept until it is sent, and what is collected.
  const release = visit.keep(start.body.length + COLLECTED_BYTES);
  for await (const piece of whole(visit, start, callback, false)) {
    seen.add(piece);
    length += piece.length;
    if (length > COLLECTED_BYTES) collected = undefined;
    collected?.push(piece.slice());
  }
  const body = collected && Buffer.concat(collected, length);
  const response = { status, headers, bodyHash: seen.last };
  const { claim } = await readers.read<'whole'>(visit.visitor.canister, {
    kind: 'whole',
    asked,
    response,
    body,
  });
  checkClaim(service, visit.canisterId, claim);
  if (!body)
    return { status, headers, body: NOTHING, rest: again(visit, start, callback, seen, release), length };
  release();
  return { status, headers, body, length };
}

const NOTHING = new Uint8Array();

async function* whole(
  visit: Visit,
  start: PlainResponse,
  callback: StreamingCallback,
  areKept: boolean,
): AsyncGenerator<Uint8Array> {
  yield start.body;
  yield* streamedPieces(visit, start.body, callback, areKept);
}

/** Throws `VerificationError` at the first piece that is not what was `seen`. `begin` is called when it begins. */
async function* again(
  visit: Visit,
  start: PlainResponse,
  callback: StreamingCallback,
  seen: Prefixes,
  begin: () => void,
): AsyncGenerator<Uint8Array> {
  begin();
  const sent = new Prefixes();
  for await (const piece of whole(visit, start, callback, true)) {
    sent.add(piece);
    if (!sent.isBeginningOf(seen)) throw new VerificationError('its content changed while it was sent');
    yield piece;
  }
}

/** Hashes of a body up to the end of each of its pieces. */
class Prefixes {
  readonly #hash = createHash('sha256');
  readonly #hashes: Uint8Array[] = [];

  add(piece: Uint8Array): void {
    this.#hash.update(piece);
    this.#hashes.push(this.#hash.copy().digest());
  }

  /** The hash of all pieces together. */
  get last(): Uint8Array {
    return this.#hashes.at(-1) ?? this.#hash.copy().digest();
  }

  /** Whether the last piece ends as it did in `other`. */
  isBeginningOf(other: Prefixes): boolean {
    const same = other.#hashes[this.#hashes.length - 1];
    return same !== undefined && equalBytes(same, this.last);
  }
}
