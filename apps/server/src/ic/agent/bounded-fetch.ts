import { currentRequestId, REQUEST_ID } from '../../log/request-context.ts';
import { icCalls, icTimes } from '../../metrics/instruments.ts';

/** Bytes of one answer of the network: a reply of a canister has 3 MB at most, and comes with its certificate. */
const MOST_BYTES = 8 * 1024 * 1024;

/** What the interface of the Internet Computer can be asked for. */
const KINDS = ['call', 'query', 'read_state', 'status'] as const;

/**
 * Fetches an answer of the network, and reads no more of it than an answer can have. The request gets the name of the one that
 * it is made for. @throws RangeError for more
 */
export async function boundedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const begun = performance.now();
  const kind = kindOf(input);
  let result = 'away';
  try {
    const response = await fetchWhole(input, named(init));
    result = response.status < 400 ? 'ok' : response.status < 500 ? 'refused' : 'failed';
    return response;
  } finally {
    icCalls.add({ kind, result });
    icTimes.took({ kind }, performance.now() - begun);
  }
}

function kindOf(input: RequestInfo | URL): string {
  const address = input instanceof Request ? input.url : String(input);
  return KINDS.find((kind) => address.endsWith(`/${kind}`)) ?? 'other';
}

function named(init: RequestInit | undefined): RequestInit | undefined {
  const id = currentRequestId();
  if (id === undefined) return init;
  const headers = new Headers(init?.headers);
  headers.set(REQUEST_ID, id);
  return { ...init, headers };
}

async function fetchWhole(input: RequestInfo | URL, init: RequestInit | undefined): Promise<Response> {
  const { body, status, statusText, headers } = await fetch(input, init);
  if (body === null) return new Response(null, { status, statusText, headers });
  const pieces: Uint8Array[] = [];
  let length = Number(headers.get('content-length') ?? 0);
  if (length > MOST_BYTES) await refuse(body);
  length = 0;
  for await (const piece of body) {
    length += piece.length;
    // Leaving the loop ends the request.
    if (length > MOST_BYTES) throw tooLong();
    pieces.push(piece);
  }
  return new Response(Buffer.concat(pieces), { status, statusText, headers });
}

async function refuse(body: ReadableStream): Promise<never> {
  await body.cancel();
  throw tooLong();
}

function tooLong(): RangeError {
  return new RangeError(`The network's answer has more than ${MOST_BYTES} bytes.`);
}
