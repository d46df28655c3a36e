import type { Page } from './send-page.ts';
import { sha256 } from '@cannery/ic/certification/signatures/hash';
import type { StateStamp } from '@cannery/replica/messages';
import type { Asked, Claim } from '../proof/claim.ts';
import { askCanister, type StampedReply, updateCanister } from './canister-http.ts';
import {
  type CanisterHttpRequest,
  type CanisterHttpResponse,
  encodeHttpRequest,
} from '../proof/http-messages.ts';
import { rangesAsked } from './byte-ranges.ts';
import { cutPage, tellingRanges, type WholePage } from './cut-page.ts';
import { completed, type PlainResponse } from './partial-response.ts';
import { plainAddress } from './plain-address.ts';
import type { Lasting } from '../kept/kept-answer.ts';
import { PLAIN_BYTES } from '../reading/read-answer.ts';
import { passedOn, verifiedStream } from './streamed-page.ts';
import { VerificationError } from '../proof/verification-error.ts';
import { checkClaim } from '../proof/verify-response.ts';
import type { Visit } from './visit.ts';

/**
 * How old the certificate of an answer may be when it is sent again, in nanoseconds. Clients accept five minutes by their own
 * clocks; and no longer is a stamp good for.
 */
const KEPT_NANOS = 120_000_000_000n;

interface Answered {
  readonly response: CanisterHttpResponse;
  /** Nobody verifies it on a raw address; what an update call answers needs no certificate. */
  readonly kind: 'raw' | 'certified' | 'updated';
  readonly lasting?: Lasting;
}

/**
 * Asks a canister for a page: `http_request`, then `http_request_update` if the canister wants that, then for the rest of
 * the body. Throws `CanisterRejectedError`, `UpdateTimeoutError`, `BusyError`, what reading or verifying an answer throws, and
 * `RequestError` 400 where it is the address that cannot be verified.
 */
export async function fetchPage(visit: Visit, request: CanisterHttpRequest): Promise<Page> {
  try {
    return await fetchWritten(visit, request);
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    const plain = plainAddress(request.url);
    if (plain === request.url) throw error;
    return fetchWritten(visit, { ...request, url: plain });
  }
}

/** The page at an address as it is written. Ranges of what is certified are cut here: canisters certify few of them, if any. */
async function fetchWritten(visit: Visit, request: CanisterHttpRequest): Promise<Page> {
  const ranges = visit.raw ? undefined : rangesAsked(request);
  const whole = visit.raw || request.method !== 'GET' ? request : withoutRange(request);
  // A canister that can answer in pieces does so to that, and tells how long they are; others answer with all.
  const query = ranges ? withRange(whole, 'bytes=0-') : whole;
  const { response, kind, lasting } = await ask(visit, query, request);
  const { status, headers, body, streaming } = response;
  const start = { status, headers, body };
  if (streaming && kind !== 'certified') return passedOn(visit, start, streaming);
  const page = streaming
    ? await verifiedStream(visit, askedOf(visit, query), start, streaming)
    : inPieces(visit, kind === 'updated' ? request : whole, start);
  if (kind !== 'certified') return page;
  const telling = tellingRanges(page);
  const cut = ranges ? cutPage(visit, telling, ranges) : telling;
  // What comes in several messages is not of one state for certain.
  return lasting && !page.rest && !streaming ? { ...cut, lasting } : cut;
}

/** A page that came in one message, or goes on with the pieces that follow it. */
function inPieces(visit: Visit, request: CanisterHttpRequest, response: PlainResponse): WholePage {
  const partial = completed(request, response, async (each) => (await ask(visit, each)).response);
  if (!partial) return { ...response, length: response.body.length };
  return { ...partial.response, rest: partial.rest, pieces: partial.pieces, length: partial.total };
}

/** As it would be asked for by a client that wants all of it. */
function withoutRange(request: CanisterHttpRequest): CanisterHttpRequest {
  const headers = request.headers.filter(([name]) => name !== 'range' && name !== 'if-range');
  return { ...request, headers };
}

function withRange(request: CanisterHttpRequest, range: string): CanisterHttpRequest {
  return { ...request, headers: [...request.headers, ['range', range]] };
}

function askedOf({ canisterId }: Visit, { method, url, headers, body }: CanisterHttpRequest): Asked {
  return { canisterId, method, url, headers, bodyHash: body.length === 0 ? HASH_OF_NOTHING : sha256(body) };
}

const HASH_OF_NOTHING = sha256();

/** One response to `query`; where that has to be an update call, the canister gets `request` in it. */
async function ask(
  visit: Visit,
  query: CanisterHttpRequest,
  request: CanisterHttpRequest = query,
): Promise<Answered> {
  const { parts, visitor, canisterId, raw, signal } = visit;
  const { admission, service } = parts;
  const { response: first, lasting } = await admission.ask(visitor, signal, async () => {
    const stamped = await askCanister(service, canisterId, encodeHttpRequest(query, 'query'));
    return raw
      ? { response: await readUnverified(visit, stamped.reply), lasting: undefined }
      : readVerified(visit, stamped, askedOf(visit, query));
  });
  if (!first.upgrade)
    return { response: first, kind: raw ? 'raw' : 'certified', ...(lasting && { lasting }) };
  const reply = await admission.update(visitor, () =>
    updateCanister(service, canisterId, encodeHttpRequest(request, 'update')),
  );
  const response = await admission.ask(visitor, signal, () => readUnverified(visit, reply));
  return { response, kind: 'updated' };
}

async function readUnverified({ parts, visitor }: Visit, reply: Uint8Array): Promise<CanisterHttpResponse> {
  return (await parts.readers.read<'page'>(visitor.canister, { kind: 'page', reply })).response;
}

/** Reads and verifies a response, unless its body or an update call is still to come. */
async function readVerified(
  { parts: { readers, proven, service }, visitor, canisterId }: Visit,
  { reply, stamp }: StampedReply,
  asked: Asked,
): Promise<Verified> {
  const name = reply.length <= PLAIN_BYTES ? proven.nameOf(asked, reply) : undefined;
  const known = name === undefined ? undefined : proven.get(name);
  const page = { kind: 'page', reply, ...(known ? {} : { asked }) } as const;
  const { response, claim } = await readers.read<'page'>(visitor.canister, page);
  const made: Claim | undefined = known ?? claim;
  if (!made) return { response, lasting: undefined };
  checkClaim(service, canisterId, made);
  if (name !== undefined && !known) proven.keep(name, made);
  return { response, lasting: lastingOf(made, stamp) };
}

interface Verified {
  readonly response: CanisterHttpResponse;
  readonly lasting: Lasting | undefined;
}

/** How long an answer may be used again, of which this claim holds. */
function lastingOf({ isForAll, timeNanos }: Claim, stamp: StateStamp | undefined): Lasting | undefined {
  if (!isForAll || stamp === undefined || timeNanos === undefined) return undefined;
  return { stamp, untilNanos: timeNanos + KEPT_NANOS };
}
