import { free } from '@cannery/replica/engine/hand-over';
import { CandidError } from '@cannery/candid/errors';
import type { CanisterHttpRequest, Header } from '../proof/http-messages.ts';
import { MAX_PIECES } from './streamed-body.ts';

/** What a `Content-Range: bytes <first>-<last>/<total>` header says. */
interface ContentRange {
  readonly first: number;
  readonly last: number;
  readonly total: number;
}

/** A response as it came in one message. */
export interface PlainResponse {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
}

/** A response whose body goes on after its first piece. */
export interface PartialBody {
  readonly response: PlainResponse;
  /** Length of the whole body in bytes, as the canister says: the client counts on it, and nothing else. */
  readonly total: number;
  /** The pieces after the first, each of which is gone when the next one is asked for. */
  readonly rest: AsyncIterable<Uint8Array>;
}

/** Longest body in ranges, in bytes: no canister keeps more (`MAX_STABLE_PAGES`), and few keep a hundredth. */
const MAX_TOTAL = 8 * 1024 ** 3;
const NUMBER_DIGITS = 16;

/**
 * A canister answers with a piece (206) where the whole body does not fit into one message. For a client that did
 * not ask for a range, the gateway turns the pieces into one response: `ask` gets each following one, verified.
 * Returns undefined where the response is to be passed on as it is; throws `CandidError` when a piece does
 * not continue the one before.
 */
export function completed(
  request: CanisterHttpRequest,
  response: PlainResponse,
  ask: (request: CanisterHttpRequest) => Promise<PlainResponse>,
): PartialBody | undefined {
  if (response.status !== 206 || valueOf(request.headers, 'range') !== undefined) return undefined;
  const start = rangeOf(response);
  if (start.first !== 0) throw new CandidError('its first piece is not the beginning of the body');
  if (start.total > MAX_TOTAL) throw new CandidError('its body is too long');
  const headers = response.headers.filter(([name]) => name.toLowerCase() !== 'content-range');
  return {
    response: { ...response, status: 200, headers },
    total: start.total,
    rest: following(request, response, start, ask),
  };
}

/** Each piece has at least one byte, and they are no more than `MAX_PIECES`, so that this ends whatever `total` is. */
async function* following(
  request: CanisterHttpRequest,
  beginning: PlainResponse,
  start: ContentRange,
  ask: (request: CanisterHttpRequest) => Promise<PlainResponse>,
): AsyncGenerator<Uint8Array> {
  const etag = valueOf(beginning.headers, 'etag');
  let next = start.last + 1;
  for (let count = 1; next < start.total; count += 1) {
    if (count > MAX_PIECES) throw new CandidError('its body has too many pieces');
    const piece = await ask({ ...request, headers: [...request.headers, ['range', `bytes=${next}-`]] });
    const range = piece.status === 206 ? rangeOf(piece) : undefined;
    const continues = range?.first === next && range.total === start.total;
    if (!continues || valueOf(piece.headers, 'etag') !== etag) {
      throw new CandidError('the body changed while it was read');
    }
    yield piece.body;
    free(piece.body);
    next = range.last + 1;
  }
}

function rangeOf({ headers, body }: PlainResponse): ContentRange {
  const value = valueOf(headers, 'content-range') ?? '';
  const range = value.startsWith('bytes ') ? value.slice('bytes '.length) : '';
  const [numbers = '', total = ''] = pair(range, '/');
  const [first = '', last = ''] = pair(numbers, '-');
  const read = { first: natural(first), last: natural(last), total: natural(total) };
  const isOfBody = read.last - read.first + 1 === body.length && read.last < read.total && body.length > 0;
  if (!isOfBody) throw new CandidError('its Content-Range header does not fit its body');
  return read;
}

/** The two sides of a separator that is in a text once. */
function pair(text: string, separator: string): readonly string[] {
  if (text.length > 4 * NUMBER_DIGITS) return [];
  const sides = text.split(separator);
  return sides.length === 2 ? sides : [];
}

/** A number in plain digits; else not a number. */
function natural(text: string): number {
  const isPlain =
    text.length > 0 && text.length < NUMBER_DIGITS && [...text].every((sign) => sign >= '0' && sign <= '9');
  return isPlain ? Number(text) : Number.NaN;
}

function valueOf(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1];
}
