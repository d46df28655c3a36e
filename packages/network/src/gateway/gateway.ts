import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { readBody } from '../http/body.ts';
import { allowAllOrigins } from '../http/cors.ts';
import { RequestError } from '../http/request-error.ts';
import type { PageHandler } from '../http/server.ts';
import type { NetworkService } from '../http/service.ts';
import { CandidFormatError } from './candid-error.ts';
import { type CanisterAddress, findCanister } from './canister-address.ts';
import { askCanister, CanisterRejectedError, UpdateTimeoutError } from './canister-http.ts';
import {
  type ErrorPage,
  malformedPage,
  rejectionPage,
  renderErrorPage,
  unverifiedPage,
} from './error-page.ts';
import type { CanisterHttpRequest, Header } from './http-messages.ts';
import { completed, type PartialBody } from './partial-response.ts';
import { VerificationError } from './verification-error.ts';
import { type CompleteResponse, verifyResponse } from './verify-response.ts';

/** Headers that concern one connection only, or that are computed anew. */
const CONNECTION_HEADERS = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const NO_CANISTER: ErrorPage = {
  status: 404,
  title: 'There is no page at this address',
  explanation:
    'This is a local network. Pages of canisters are at addresses like http://<canister ID>.localhost, or with ?canisterId=<canister ID>.',
};

const UNFINISHED: ErrorPage = {
  status: 504,
  title: 'This canister has not answered yet',
  explanation: 'It is still working on the request, which may yet take effect. Look at its page again later.',
};

/** The HTTP gateway: translates web requests into canister calls and serves what the canisters answer. */
export function createGateway(service: NetworkService): PageHandler {
  return async (request, response, url) => {
    const { host, referer } = request.headers;
    const address = findCanister(host, url, referer);
    if (!address) return sendPage(request, response, NO_CANISTER);
    response.setHeader('x-ic-canister-id', address.text);
    if (isPreflight(request)) {
      allowAllOrigins(response);
      response.writeHead(204).end();
      return;
    }
    try {
      const page = await fetchPage(service, address, await readRequest(request, url));
      if ('rest' in page) await sendPieces(response, page);
      else sendResponse(response, page);
    } catch (error) {
      // What was sent so far is verified; the client sees by the length that the rest is missing.
      if (response.headersSent) response.destroy();
      else sendPage(request, response, errorPage(error, address, url, host));
    }
  };
}

async function fetchPage(
  service: NetworkService,
  { canisterId, raw }: CanisterAddress,
  request: CanisterHttpRequest,
): Promise<CompleteResponse | PartialBody> {
  const ask = async (each: CanisterHttpRequest): Promise<CompleteResponse> => {
    const { response, isUpdate } = await askCanister(service, canisterId, each);
    if (!raw && !isUpdate) verifyResponse(service, canisterId, each, response);
    return response;
  };
  const response = await ask(request);
  return completed(request, response, ask) ?? response;
}

async function readRequest(request: IncomingMessage, url: URL): Promise<CanisterHttpRequest> {
  const headers: Header[] = [];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    headers.push([request.rawHeaders[index]?.toLowerCase() ?? '', request.rawHeaders[index + 1] ?? '']);
  }
  // The address goes to the canister as the client wrote it; `url` has it normalised.
  const target = request.url?.startsWith('/') ? request.url : `${url.pathname}${url.search}`;
  return {
    method: request.method ?? 'GET',
    url: target,
    headers,
    body: await readBody(request),
  };
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function sendResponse(response: ServerResponse, { status, headers, body }: CompleteResponse): void {
  setHeaders(response, { status, headers });
  const hasBody = status !== 204 && status !== 304;
  if (hasBody) response.setHeader('content-length', body.length);
  response.writeHead(status).end(hasBody ? body : undefined);
}

/** Sends each piece once it is verified and the client has taken the one before. */
async function sendPieces(response: ServerResponse, page: PartialBody): Promise<void> {
  const { status, body } = page.response;
  setHeaders(response, page.response);
  response.setHeader('content-length', page.total);
  response.writeHead(status);
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  await pipeline(async function* () {
    yield body;
    yield* page.rest;
  }, response);
}

function setHeaders(
  response: ServerResponse,
  { status, headers }: Pick<CompleteResponse, 'status' | 'headers'>,
): void {
  if (status < 200 || status > 599) throw new CandidFormatError(`its status code is ${status}`);
  for (const [name, value] of headers) {
    if (CONNECTION_HEADERS.has(name.toLowerCase())) continue;
    try {
      response.appendHeader(name, value);
    } catch {
      throw new CandidFormatError(`its header ${JSON.stringify(name)} is not a valid HTTP header`);
    }
  }
  allowAllOrigins(response);
}

function errorPage(error: unknown, address: CanisterAddress, url: URL, host = 'localhost'): ErrorPage {
  if (error instanceof CanisterRejectedError) return rejectionPage(error.rejection);
  if (error instanceof UpdateTimeoutError) return { ...UNFINISHED, detail: error.message };
  if (error instanceof CandidFormatError) return malformedPage(error.message);
  if (error instanceof VerificationError) {
    const port = /:\d+$/.exec(host)?.[0] ?? '';
    const rawHost = `${address.text}.raw.localhost${port}`;
    return unverifiedPage(error.message, `http://${rawHost}${url.pathname}`);
  }
  if (error instanceof RequestError) {
    return { status: error.status, title: 'This request was refused', explanation: error.message };
  }
  throw error;
}

function sendPage(request: IncomingMessage, response: ServerResponse, page: ErrorPage): void {
  const { contentType, body } = renderErrorPage(page, request.headers.accept);
  for (const name of response.getHeaderNames()) {
    if (name !== 'x-ic-canister-id') response.removeHeader(name);
  }
  allowAllOrigins(response);
  response.setHeader('content-type', contentType);
  response.setHeader('content-length', Buffer.byteLength(body));
  if (page.status === 413) response.setHeader('connection', 'close');
  response.writeHead(page.status).end(body);
}
