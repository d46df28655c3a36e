import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../http/transport/body.ts';
import { allowAllOrigins } from '../http/transport/cors.ts';
import { RequestError } from '../http/transport/request-error.ts';
import { tally } from '../http/transport/tally.ts';
import type { RequestHost } from '../http/transport/served-hosts.ts';
import type { PageHandler } from '../http/server.ts';
import { BudgetError } from '@cannery/ic/budget';
import { BusyError } from './visitors/admission.ts';
import { CandidError } from '@cannery/candid/errors';
import type { SiteNames } from './visitors/site-names.ts';
import { type CanisterAddress, findCanister, opensPage, ownAddress } from './visitors/addresses.ts';
import { CanisterRejectedError, UpdateTimeoutError } from './page/canister-http.ts';
import {
  type ErrorPage,
  malformedPage,
  rejectionPage,
  unreadPage,
  unverifiedPage,
} from './page/error-page.ts';
import { CANDID_UI, type CandidPageOptions, sendCandidPage } from './page/candid-page.ts';
import { fetchPage } from './page/fetch-page.ts';
import type { CanisterHttpRequest } from './proof/http-messages.ts';
import { ReaderError } from './reading/reader-thread.ts';
import { headersForCanister } from './page/headers.ts';
import { sendErrorPage, sendPage } from './page/send-page.ts';
import { VerificationError } from './proof/verification-error.ts';
import { beginVisit, type GatewayParts } from './page/visit.ts';

export interface GatewayOptions {
  /** Where browsers reach the sites of canisters from other computers, such as `https://{canisterId}.sites.example.com/`. */
  readonly canisterUrl?: string;
  /** Names of sites besides the IDs of their canisters. */
  readonly names?: SiteNames;
  /** What to show at the address of the Candid UI, where no canister has its ID; nothing where not given. */
  readonly candidPage?: CandidPageOptions;
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

const BUSY: ErrorPage = {
  status: 503,
  title: 'This site is busy',
  explanation: 'More requests came than can be answered at the moment. Try again in a moment.',
  retrySeconds: 2,
};

/** The HTTP gateway: translates web requests into canister calls and serves what the canisters answer. */
export function createGateway(
  parts: GatewayParts,
  { canisterUrl, names, candidPage }: GatewayOptions = {},
): PageHandler {
  return async ({ request, host, url }, response) => {
    const kept = parts.kept.forRequest(request);
    if (kept) return kept.sendBy(response);
    const named = names?.find(host);
    const address = named ?? findCanister(host, url, request.headers.referer);
    if (!address) return sendErrorPage(request, response, noCanister(host));
    response.setHeader('x-ic-canister-id', address.text);
    if (!address.isOwnHost && opensPage(request.headers)) {
      const own = ownAddress(address, host, url, canisterUrl);
      return own === undefined ? sendErrorPage(request, response, NO_OWN_HOST) : redirect(response, own);
    }
    if (candidPage && address.text === CANDID_UI && !parts.service.state.canister(address.canisterId)) {
      return sendCandidPage(parts.service, candidPage, { method: request.method, url }, response);
    }
    if (isPreflight(request)) {
      allowAllOrigins(response);
      response.writeHead(204).end();
      return;
    }
    try {
      const asked = await readRequest(request, response, url, address);
      tally.page('made');
      const visit = beginVisit(parts, address, request, response);
      const page = await fetchPage(visit, asked);
      // What is kept is sent to who asks this host again: not where the name has another canister by now.
      const { lasting: _mine, ...once } = page;
      const sent = names?.find(host)?.text === named?.text ? page : once;
      await sendPage(visit, response, sent, address.isOwnHost ? host.name : undefined);
    } catch (error) {
      // What was sent so far is verified; the client sees by the end of the connection that the rest is missing.
      if (response.headersSent || response.destroyed) response.destroy();
      else sendErrorPage(request, response, errorPage(error, address, url, host));
    }
  };
}

async function readRequest(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { isOwnHost }: CanisterAddress,
): Promise<CanisterHttpRequest> {
  // The address goes to the canister as the client wrote it; `url` has it normalised.
  const target = request.url?.startsWith('/') ? request.url : `${url.pathname}${url.search}`;
  return {
    method: request.method ?? 'GET',
    url: target,
    headers: headersForCanister(request.rawHeaders, isOwnHost),
    // It is kept until the answer is sent: the canister may ask for it again, and others wait for their turn before it.
    body: await readBody(request, response),
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

function errorPage(error: unknown, address: CanisterAddress, url: URL, { port }: RequestHost): ErrorPage {
  if (error instanceof CanisterRejectedError) return rejectionPage(error.rejection);
  if (error instanceof UpdateTimeoutError) return { ...UNFINISHED, detail: error.message };
  if (error instanceof CandidError || error instanceof BudgetError) return malformedPage(error.message);
  if (error instanceof ReaderError) return unreadPage(error.message);
  if (error instanceof BusyError) return { ...BUSY, detail: error.message };
  if (error instanceof VerificationError) {
    const rawHost = `${address.text}.raw.localhost${port}`;
    return unverifiedPage(error.message, `http://${rawHost}${url.pathname}`);
  }
  if (error instanceof RequestError && error.status === BUSY.status)
    return { ...BUSY, detail: error.message };
  if (error instanceof RequestError) {
    return { status: error.status, title: 'This request was refused', explanation: error.message };
  }
  throw error;
}
