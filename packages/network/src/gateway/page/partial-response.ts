import { free } from '@cannery/replica/engine/hand-over';
import { CandidError } from '@cannery/candid/errors';
import { type CanisterHttpRequest, type Header, headerValue } from '../proof/http-messages.ts';
import { VerificationError } from '../proof/verification-error.ts';
import { has, type Piece, type Pieces } from './pieces.ts';
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
  readonly pieces: Pieces;
  /** The pieces after the first, each of which is gone when the next one is asked for. */
  readonly rest: AsyncIterable<Uint8Array>;
}

/** Gets one more piece, verified. */
type Ask = (request: CanisterHttpRequest) => Promise<PlainResponse>;

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
  ask: Ask,
): PartialBody | undefined {
  if (response.status !== 206 || headerValue(request.headers, 'range') !== undefined) return undefined;
  const start = rangeOf(response);
  if (start.first !== 0) throw new CandidError('its first piece is not the beginning of the body');
  if (start.total > MAX_TOTAL) throw new CandidError('its body is too long');
  const headers = response.headers.filter(([name]) => name.toLowerCase() !== 'content-range');
  const pieces = new PartialPieces(request, response, start, ask);
  return {
    response: { ...response, status: 200, headers },
    total: start.total,
    pieces,
    rest: following(pieces, start),
  };
}

async function* following(pieces: Pieces, { last, total }: ContentRange): AsyncGenerator<Uint8Array> {
  for (let next = last + 1; next < total; ) {
    const { first, bytes } = await pieces.at(next);
    // The piece is gone when the next one is asked for.
    const after = first + bytes.length;
    yield bytes;
    next = after;
  }
}

/**
 * The pieces of a body, each asked for when it is wanted. Canisters make them of one length, so that those between are left
 * out; where that does not hold, they are asked for in their order.
 */
class PartialPieces implements Pieces {
  readonly #request: CanisterHttpRequest;
  readonly #ask: Ask;
  readonly #etag: string | undefined;
  readonly #total: number;
  readonly #usualLength: number;
  #piece: Piece;
  /** Where the piece after that begins. */
  #next: number;
  #canSkip = true;
  /** Each piece has at least one byte, and they are no more than `MAX_PIECES`, so that this ends whatever the total is. */
  #count = 0;

  constructor(request: CanisterHttpRequest, { headers, body }: PlainResponse, start: ContentRange, ask: Ask) {
    this.#request = request;
    this.#ask = ask;
    this.#etag = headerValue(headers, 'etag');
    this.#total = start.total;
    this.#usualLength = body.length;
    this.#piece = { first: 0, bytes: body };
    this.#next = body.length;
  }

  async at(offset: number): Promise<Piece> {
    while (!has(this.#piece, offset)) {
      free(this.#piece.bytes);
      const first = offset - (offset % this.#usualLength);
      if (this.#canSkip && first > this.#next) this.#canSkip = await this.#skipTo(first);
      if (!has(this.#piece, offset)) this.#take(this.#next, await this.#from(this.#next));
    }
    return this.#piece;
  }

  /** False, and no piece taken, where none begins at `first`. */
  async #skipTo(first: number): Promise<boolean> {
    try {
      this.#take(first, await this.#from(first));
      return true;
    } catch (error) {
      if (error instanceof CandidError || error instanceof VerificationError) return false;
      throw error;
    }
  }

  #from(first: number): Promise<PlainResponse> {
    if (this.#count >= MAX_PIECES) throw new CandidError('its body has too many pieces');
    this.#count += 1;
    const headers: Header[] = [...this.#request.headers, ['range', `bytes=${first}-`]];
    return this.#ask({ ...this.#request, headers });
  }

  #take(first: number, response: PlainResponse): void {
    const range = response.status === 206 ? rangeOf(response) : undefined;
    const isOfBody = range?.first === first && range.total === this.#total;
    if (!isOfBody || headerValue(response.headers, 'etag') !== this.#etag) {
      throw new CandidError('the body changed while it was read');
    }
    this.#piece = { first, bytes: response.body };
    this.#next = range.last + 1;
  }
}

function rangeOf({ headers, body }: PlainResponse): ContentRange {
  const value = headerValue(headers, 'content-range') ?? '';
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
