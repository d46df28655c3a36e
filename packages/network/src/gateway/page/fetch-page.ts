import type { Page } from './send-page.ts';
import { sha256 } from '@cannery/ic/certification/signatures/hash';
import type { Asked, Claim } from '../proof/claim.ts';
import { queryCanister, updateCanister } from './canister-http.ts';
import {
  type CanisterHttpRequest,
  type CanisterHttpResponse,
  encodeHttpRequest,
} from '../proof/http-messages.ts';
import { completed } from './partial-response.ts';
import { PLAIN_BYTES } from '../reading/read-answer.ts';
import { passedOn, verifiedStream } from './streamed-page.ts';
import { checkClaim } from '../proof/verify-response.ts';
import type { Visit } from './visit.ts';

interface Answered {
  readonly response: CanisterHttpResponse;
  /** Whether the response has to be verified once its body is complete. */
  readonly isUnverified: boolean;
}

/**
 * Asks a canister for a page: `http_request`, then `http_request_update` if the canister wants that, then for the rest of
 * the body. Throws `CanisterRejectedError`, `UpdateTimeoutError`, `BusyError`, and what reading or verifying an answer
 * throws.
 */
export async function fetchPage(visit: Visit, request: CanisterHttpRequest): Promise<Page> {
  const asked = askedOf(visit, request);
  const { response, isUnverified } = await ask(visit, request, asked);
  const { status, headers, body, streaming } = response;
  if (streaming) {
    const start = { status, headers, body };
    return isUnverified ? verifiedStream(visit, asked, start, streaming) : passedOn(visit, start, streaming);
  }
  const partial = completed(request, response, async (each) => {
    const { response: piece } = await ask(visit, each, askedOf(visit, each));
    return piece;
  });
  if (!partial) return { status, headers, body, length: body.length };
  return { ...partial.response, rest: partial.rest, length: partial.total };
}

function askedOf({ canisterId }: Visit, { method, url, headers, body }: CanisterHttpRequest): Asked {
  return { canisterId, method, url, headers, bodyHash: body.length === 0 ? HASH_OF_NOTHING : sha256(body) };
}

const HASH_OF_NOTHING = sha256();

/** One response; the answer of an update call needs no certificate of its own. */
async function ask(visit: Visit, request: CanisterHttpRequest, asked: Asked): Promise<Answered> {
  const { parts, visitor, canisterId, raw, signal } = visit;
  const { admission, service } = parts;
  const first = await admission.ask(visitor, signal, async () => {
    const argument = encodeHttpRequest(request, 'query');
    const reply = await queryCanister(service, canisterId, 'http_request', argument);
    return raw ? readUnverified(visit, reply) : readVerified(visit, reply, asked);
  });
  if (!first.upgrade) return { response: first, isUnverified: !raw };
  const reply = await admission.update(visitor, () =>
    updateCanister(service, canisterId, encodeHttpRequest(request, 'update')),
  );
  const response = await admission.ask(visitor, signal, () => readUnverified(visit, reply));
  return { response, isUnverified: false };
}

async function readUnverified({ parts, visitor }: Visit, reply: Uint8Array): Promise<CanisterHttpResponse> {
  return (await parts.readers.read<'page'>(visitor.canister, { kind: 'page', reply })).response;
}

/** Reads and verifies a response, unless its body or an update call is still to come. */
async function readVerified(
  { parts: { readers, proven, service }, visitor, canisterId }: Visit,
  reply: Uint8Array,
  asked: Asked,
): Promise<CanisterHttpResponse> {
  const name = reply.length <= PLAIN_BYTES ? proven.nameOf(asked, reply) : undefined;
  const known = name === undefined ? undefined : proven.get(name);
  const page = { kind: 'page', reply, ...(known ? {} : { asked }) } as const;
  const { response, claim } = await readers.read<'page'>(visitor.canister, page);
  const made: Claim | undefined = known ?? claim;
  if (!made) return response;
  checkClaim(service, canisterId, made);
  if (name !== undefined && !known) proven.keep(name, made);
  return response;
}
