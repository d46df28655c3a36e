/** Bytes of one answer of the network: a reply of a canister has 3 MB at most, and comes with its certificate. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Fetches an answer of the network, and reads no more of it than an answer can have. @throws RangeError for more */
export async function boundedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
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
