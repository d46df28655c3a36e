import { LARGE_REPLY_BYTES } from '@cannery/replica/engine/hand-over';
import { Budget, BudgetError, type Limits } from '@cannery/ic/budget';
import { sha256 } from '@cannery/ic/certification/signatures/hash';
import { CandidError } from '@cannery/candid/errors';
import { type Asked, type Claim, claimOf, settled } from '../proof/claim.ts';
import {
  type CanisterHttpResponse,
  decodeHttpResponse,
  decodeStreamedChunk,
  type StreamedChunk,
} from '../proof/http-messages.ts';
import type { ResponseToHash } from '../proof/message-hashes.ts';
import { unpackedHash } from '../proof/unpacked-hash.ts';
import { VerificationError } from '../proof/verification-error.ts';

/** Something a canister answered, to be read. Who hands over a reply does not look at it afterwards. */
export type Answer =
  | { readonly kind: 'page'; readonly reply: Uint8Array; readonly asked?: Asked }
  | { readonly kind: 'piece'; readonly reply: Uint8Array }
  /** A response whose body came in pieces; `body` is there when it is short enough to be unpacked. */
  | {
      readonly kind: 'whole';
      readonly asked: Asked;
      readonly response: ResponseToHash;
      readonly body: Uint8Array | undefined;
    };

/** What an answer says. A page has a claim if it was asked for and its body is complete. */
interface Readings {
  readonly page: { readonly response: CanisterHttpResponse; readonly claim: Claim | undefined };
  readonly piece: { readonly chunk: StreamedChunk | undefined };
  readonly whole: { readonly claim: Claim };
}

export type Reading<Kind extends Answer['kind'] = Answer['kind']> = Readings[Kind];

/**
 * What is read on the thread that serves: an answer of a file or page that is not large. A certificate has some hundred
 * values; two thousand are read in less than a millisecond.
 */
export const PLAIN_LIMITS: Limits = { values: 2_000, depth: 64, bytes: 256 * 1024 };
/** Longest answer, in bytes, that the thread that serves looks at. */
export const PLAIN_BYTES = LARGE_REPLY_BYTES;

/** What is read in a thread: several times what any library makes, and as deep as a path of a few hundred parts. */
export const THREAD_LIMITS: Limits = { values: 200_000, depth: 512, bytes: 32 * 1024 * 1024 };
/** Bytes that may come out of a packed body, for each byte of it and in all; text is packed to a fifth. */
const UNPACKED: Limits = { values: 0, depth: 0, bytes: 32 * 1024 * 1024 };
const MOST_RATIO = 200;

/** Reads an answer without unpacking its body; throws `CandidError`, `VerificationError` or `BudgetError`. */
export function readAnswer(answer: Answer, budget: Budget): Reading {
  switch (answer.kind) {
    case 'page': {
      const response = decodeHttpResponse(answer.reply, budget);
      const isComplete = !response.upgrade && !response.streaming;
      if (!answer.asked || !isComplete) return { response, claim: undefined };
      const { status, headers, body } = response;
      budget.spendBytes(body.length);
      const claim = claimOf(answer.asked, { status, headers, bodyHash: sha256(body) }, budget);
      return { response, claim };
    }
    case 'piece':
      return { chunk: decodeStreamedChunk(answer.reply, budget) };
    default:
      return { claim: claimOf(answer.asked, answer.response, budget) };
  }
}

/** The same, and unpacks the body where the claim rests on that: work for a thread. */
export async function readWholeAnswer(answer: Answer): Promise<Reading> {
  const reading = readAnswer(answer, new Budget(THREAD_LIMITS));
  if (!('claim' in reading) || !reading.claim?.unpacked) return reading;
  const body =
    'response' in reading ? reading.response.body : answer.kind === 'whole' ? answer.body : undefined;
  if (!body) return reading;
  const bytes = Math.min(UNPACKED.bytes, body.length * MOST_RATIO);
  const hash = await unpackedHash(body, reading.claim.unpacked.encoding, new Budget({ ...UNPACKED, bytes }));
  return { ...reading, claim: settled(reading.claim, hash) };
}

/** How an error passes between threads. */
export interface ReadError {
  readonly name: string;
  readonly message: string;
}

const ERRORS = [CandidError, VerificationError, BudgetError];

/** The error that was thrown in another thread, of the same class. */
export function errorFrom({ name, message }: ReadError): Error {
  const Known = ERRORS.find((each) => each.name === name) ?? Error;
  return new Known(message);
}
