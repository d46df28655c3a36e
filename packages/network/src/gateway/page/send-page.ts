import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { CandidError } from '@cannery/candid/errors';
import { free } from '@cannery/replica/engine/hand-over';
import { allowAllOrigins } from '../../http/transport/cors.ts';
import type { Lasting } from '../kept/kept-answer.ts';
import type { Header } from '../proof/http-messages.ts';
import { type ErrorPage, renderErrorPage } from './error-page.ts';
import { headersForClient } from './headers.ts';
import type { Visit } from './visit.ts';

/** A response to send. */
export interface Page {
  readonly status: number;
  readonly headers: readonly Header[];
  /** The whole body, or its first piece. */
  readonly body: Uint8Array;
  /** The pieces after the first, where there are more; each is asked for when the one before is taken, which is gone then. */
  readonly rest?: AsyncIterable<Uint8Array>;
  /** Length of the whole body in bytes, where it is known before the pieces. */
  readonly length: number | undefined;
  /** Where it is certified for everybody who asks the same: for how long. */
  readonly lasting?: Lasting;
}

/** A client that takes nothing of a body for this long has gone. */
const TAKE_NOTHING_MILLIS = 60_000;
/** Bodies up to this length fit into what the system keeps for a connection. */
const SMALL_BODY_BYTES = 64 * 1024;

const NOTHING = new Uint8Array();

/** Sends a page; what is not sent yet is counted. `ownHost` is the name of the canister's host, if it has one. */
export async function sendPage(
  visit: Visit,
  response: ServerResponse,
  page: Page,
  ownHost: string | undefined,
): Promise<void> {
  const { status, body, rest, length, lasting } = page;
  setHeaders(response, page, ownHost);
  const hasBody = status !== 204 && status !== 304;
  if (hasBody && length !== undefined) response.setHeader('content-length', length);
  response.statusCode = status;
  const isHead = !hasBody || response.req.method === 'HEAD';
  if (lasting && !rest) {
    visit.parts.kept.keep(response, {
      canister: visit.visitor.canister,
      lasting,
      body: isHead ? NOTHING : body,
    });
  }
  response.writeHead(status);
  if (isHead) {
    response.end();
    return;
  }
  if (rest || body.length > SMALL_BODY_BYTES) response.setTimeout(TAKE_NOTHING_MILLIS, visit.drop);
  if (rest) return sendPieces(visit, response, body, rest);
  visit.keep(body.length);
  if (body.length > SMALL_BODY_BYTES) response.once('finish', () => free(body));
  response.end(body);
}

/** Sends each piece when the client has taken the one before. */
async function sendPieces(
  visit: Visit,
  response: ServerResponse,
  body: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): Promise<void> {
  await pipeline(async function* () {
    yield* held(visit, body);
    for await (const piece of rest) yield* held(visit, piece);
  }, response);
}

function* held(visit: Visit, piece: Uint8Array): Generator<Uint8Array> {
  const release = visit.keep(piece.length);
  try {
    yield piece;
  } finally {
    release();
  }
}

function setHeaders(
  response: ServerResponse,
  { status, headers }: Pick<Page, 'status' | 'headers'>,
  ownHost: string | undefined,
): void {
  if (status < 200 || status > 599) throw new CandidError(`its status code is ${status}`);
  for (const [name, value] of headersForClient(headers, ownHost)) {
    try {
      response.appendHeader(name, value);
    } catch {
      throw new CandidError(`its header ${JSON.stringify(name)} is not a valid HTTP header`);
    }
  }
  allowAllOrigins(response);
}

/** Sends a page of the gateway, with none of the headers that a canister's page would have had. */
export function sendErrorPage(request: IncomingMessage, response: ServerResponse, page: ErrorPage): void {
  const { contentType, body } = renderErrorPage(page, request.headers.accept);
  for (const name of response.getHeaderNames()) {
    if (name !== 'x-ic-canister-id') response.removeHeader(name);
  }
  allowAllOrigins(response);
  response.setHeader('content-type', contentType);
  response.setHeader('content-length', Buffer.byteLength(body));
  // The rest of a body that was refused is not read: end the connection instead.
  const isCut = page.status === 413 || (page.status === 503 && !request.complete);
  if (isCut) response.setHeader('connection', 'close');
  if (page.retrySeconds !== undefined) response.setHeader('retry-after', page.retrySeconds);
  response.writeHead(page.status).end(body);
}
