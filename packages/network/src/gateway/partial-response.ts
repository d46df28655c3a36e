import { CandidFormatError } from './candid-error.ts';
import type { CanisterHttpRequest, Header } from './http-messages.ts';
import type { CompleteResponse } from './verify-response.ts';

/** What a `Content-Range: bytes <first>-<last>/<total>` header says. */
interface ContentRange {
  readonly first: number;
  readonly last: number;
  readonly total: number;
}

/** A response whose body goes on after its first piece. */
export interface PartialBody {
  readonly response: CompleteResponse;
  /** Length of the whole body in bytes. */
  readonly total: number;
  /** The pieces after the first. */
  readonly rest: AsyncIterable<Uint8Array>;
}

const CONTENT_RANGE = /^bytes (\d+)-(\d+)\/(\d+)$/;

/**
 * A canister answers with a piece (206) where the whole body does not fit into one message. For a client that did
 * not ask for a range, the gateway turns the pieces into one response: `ask` gets each following one, verified.
 * Returns undefined where the response is to be passed on as it is; throws `CandidFormatError` when a piece does
 * not continue the one before.
 */
export function completed(
  request: CanisterHttpRequest,
  response: CompleteResponse,
  ask: (request: CanisterHttpRequest) => Promise<CompleteResponse>,
): PartialBody | undefined {
  if (response.status !== 206 || valueOf(request.headers, 'range') !== undefined) return undefined;
  const start = rangeOf(response);
  if (start.first !== 0) throw new CandidFormatError('its first piece is not the beginning of the body');
  const headers = response.headers.filter(([name]) => name.toLowerCase() !== 'content-range');
  return {
    response: { ...response, status: 200, headers },
    total: start.total,
    rest: following(request, response, start, ask),
  };
}

async function* following(
  request: CanisterHttpRequest,
  beginning: CompleteResponse,
  start: ContentRange,
  ask: (request: CanisterHttpRequest) => Promise<CompleteResponse>,
): AsyncGenerator<Uint8Array> {
  const etag = valueOf(beginning.headers, 'etag');
  let next = start.last + 1;
  while (next < start.total) {
    const piece = await ask({ ...request, headers: [...request.headers, ['range', `bytes=${next}-`]] });
    const range = piece.status === 206 ? rangeOf(piece) : undefined;
    const continues = range?.first === next && range.total === start.total;
    if (!continues || valueOf(piece.headers, 'etag') !== etag) {
      throw new CandidFormatError('the body changed while it was read');
    }
    yield piece.body;
    next = range.last + 1;
  }
}

function rangeOf({ headers, body }: CompleteResponse): ContentRange {
  const [, first, last, total] = CONTENT_RANGE.exec(valueOf(headers, 'content-range') ?? '') ?? [];
  const range = { first: Number(first), last: Number(last), total: Number(total) };
  if (range.last - range.first + 1 !== body.length || range.last >= range.total || body.length === 0) {
    throw new CandidFormatError('its Content-Range header does not fit its body');
  }
  return range;
}

function valueOf(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1];
}
