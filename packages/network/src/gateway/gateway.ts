import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { readBody } from '../http/body.ts';
import { allowAllOrigins } from '../http/cors.ts';
import { RequestError } from '../http/request-error.ts';
import type { RequestHost } from '../http/request-host.ts';
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
import type { CanisterHttpRequest } from './http-messages.ts';
import { opensPage, ownAddress } from './own-address.ts';
import { completed, type PartialBody } from './partial-response.ts';
import { headersForCanister } from './request-headers.ts';
import { headersForClient } from './response-headers.ts';
import { VerificationError } from './verification-error.ts';
import { type CompleteResponse, verifyResponse } from './verify-response.ts';

export interface GatewayOptions {
  /** Where browsers reach the sites of canisters from other computers, such as `https://{canisterId}.sites.example.com/`. */
  readonly canisterUrl?: string;
}

function noCanister({ port }: RequestHost): ErrorPage {
  return {
    status: 404,
    title: 'There is no page at this address',
    explanation: `This is a local network. Pages of canisters are at addresses like http://<canister ID>.localhost${port}/, or with ?canisterId=<canister ID>.`,
  };
}

const NO_OWN_HOST: ErrorPage = {
  status: 403,
  title: 'No host is set up for this site',
  explanation:
    'Sites are not opened on a host they would share with others. The operator of this network gives each site a host with CANISTER_URL_PATTERN, such as https://{canisterId}.sites.example.com/.',
};

const UNFINISHED: ErrorPage = {
  status: 504,
  title: 'This canister has not answered yet',
  explanation: 'It is still working on the request, which may yet take effect. Look at its page again later.',
};

/** The HTTP gateway: translates web requests into canister calls and serves what the canisters answer. */
export function createGateway(service: NetworkService, { canisterUrl }: GatewayOptions = {}): PageHandler {
  return async ({ request, host, url }, response) => {
    const address = findCanister(host, url, request.headers.referer);
    if (!address) return sendPage(request, response, noCanister(host));
    response.setHeader('x-ic-canister-id', address.text);
    if (!address.isOwnHost && opensPage(request.headers)) {
      const own = ownAddress(address, host, url, canisterUrl);
      return own === undefined ? sendPage(request, response, NO_OWN_HOST) : redirect(response, own);
    }
    if (isPreflight(request)) {
      allowAllOrigins(response);
      response.writeHead(204).end();
      return;
    }
    try {
      const page = await fetchPage(service, address, await readRequest(request, url, address));
      const ownHost = address.isOwnHost ? host.name : undefined;
      if ('rest' in page) await sendPieces(response, page, ownHost);
      else sendResponse(response, page, ownHost);
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

async function readRequest(
  request: IncomingMessage,
  url: URL,
  { isOwnHost }: CanisterAddress,
): Promise<CanisterHttpRequest> {
  // The address goes to the canister as the client wrote it; `url` has it normalised.
  const target = request.url?.startsWith('/') ? request.url : `${url.pathname}${url.search}`;
  return {
    method: request.method ?? 'GET',
    url: target,
    headers: headersForCanister(request.rawHeaders, isOwnHost),
    body: await readBody(request),
  };
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** The browser asks again with the same method and body; what it sent for others of this host stays behind. */
function redirect(response: ServerResponse, location: string): void {
  allowAllOrigins(response);
  response.setHeader('location', location);
  response.setHeader('cache-control', 'no-store');
  response.setHeader('vary', 'Accept, Sec-Fetch-Mode');
  response.setHeader('content-length', 0);
  response.writeHead(307).end();
}

function sendResponse(
  response: ServerResponse,
  { status, headers, body }: CompleteResponse,
  ownHost: string | undefined,
): void {
  setHeaders(response, { status, headers }, ownHost);
  const hasBody = status !== 204 && status !== 304;
  if (hasBody) response.setHeader('content-length', body.length);
  response.writeHead(status).end(hasBody ? body : undefined);
}

/** Sends each piece once it is verified and the client has taken the one before. */
async function sendPieces(
  response: ServerResponse,
  page: PartialBody,
  ownHost: string | undefined,
): Promise<void> {
  const { status, body } = page.response;
  setHeaders(response, page.response, ownHost);
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
  ownHost: string | undefined,
): void {
  if (status < 200 || status > 599) throw new CandidFormatError(`its status code is ${status}`);
  for (const [name, value] of headersForClient(headers, ownHost)) {
    try {
      response.appendHeader(name, value);
    } catch {
      throw new CandidFormatError(`its header ${JSON.stringify(name)} is not a valid HTTP header`);
    }
  }
  allowAllOrigins(response);
}

function errorPage(error: unknown, address: CanisterAddress, url: URL, { port }: RequestHost): ErrorPage {
  if (error instanceof CanisterRejectedError) return rejectionPage(error.rejection);
  if (error instanceof UpdateTimeoutError) return { ...UNFINISHED, detail: error.message };
  if (error instanceof CandidFormatError) return malformedPage(error.message);
  if (error instanceof VerificationError) {
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
