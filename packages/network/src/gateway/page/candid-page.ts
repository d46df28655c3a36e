import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NetworkService } from '../../http/endpoints/service.ts';
import { parseId } from '../visitors/addresses.ts';
import { escapeHtml } from './error-page.ts';

/** The Candid UI of the Internet Computer: tools print its address as the page of a canister that has no site. */
export const CANDID_UI = 'a4gq6-oaaaa-aaaab-qaa4q-cai';
/** Most of an interface that is shown, in bytes; real ones have a few thousand. */
export const MAX_SHOWN_BYTES = 256 * 1024;
/** Where the ID is in the address of a console's Candid page. */
const CANISTER_ID = '{canisterId}';

export interface CandidPageOptions {
  /** Where a console shows Candid pages, such as `http://localhost:4000/candid/?id={canisterId}`. */
  readonly url: string | undefined;
}

/**
 * Answers at the address of the Candid UI, as `?id=<canister>` asks: with a console's Candid page where there is one, else with the
 * interface of the canister as text.
 */
export function sendCandidPage(
  { state }: Pick<NetworkService, 'state'>,
  { url: pattern }: CandidPageOptions,
  { method, url }: { readonly method: IncomingMessage['method']; readonly url: URL },
  response: ServerResponse,
): void {
  const text = url.searchParams.get('id') ?? '';
  const id = parseId(text);
  response.setHeader('cache-control', 'no-store');
  if (id && pattern !== undefined) {
    response.setHeader('location', pattern.replace(CANISTER_ID, text));
    response.setHeader('content-length', 0);
    response.writeHead(302).end();
    return;
  }
  const metadata = id && state.metadata(id, 'candid:service');
  const candid = metadata?.visibility === 'public' ? metadata.content : undefined;
  const isKnown = id !== undefined && state.canister(id) !== undefined;
  const body = Buffer.from(render(text, isKnown, candid));
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.setHeader('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('content-length', body.length);
  response.writeHead(id && !isKnown ? 404 : 200).end(method === 'HEAD' ? undefined : body);
}

function render(text: string, isKnown: boolean, candid: Uint8Array | undefined): string {
  const id = escapeHtml(text);
  if (!isKnown) {
    const reason = text === '' ? 'Give the ID of a canister with ?id=.' : `There is no canister ${id} here.`;
    return page('Candid', `<h1>Candid</h1><p>${reason}</p>`);
  }
  const shown = candid ? shownInterface(candid) : '<p>This canister does not show its interface.</p>';
  const call = `<p>Call a method with <code>icp canister call ${id} METHOD</code>. The console of Cannery has a form for each.</p>`;
  return page(text, `<h1>${id}</h1>${shown}${call}`);
}

/** An interface as HTML. */
export function shownInterface(candid: Uint8Array): string {
  const text = new TextDecoder().decode(candid.subarray(0, MAX_SHOWN_BYTES));
  const rest = candid.length > MAX_SHOWN_BYTES ? '<p>The rest of it is not shown.</p>' : '';
  return `<pre>${escapeHtml(text)}</pre>${rest}`;
}

function page(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 3rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.25rem; overflow-wrap: anywhere; }
pre, code { font-size: 0.875rem; white-space: pre-wrap; overflow-wrap: anywhere; }
</style>
</head>
<body>
<main>${main}</main>
</body>
</html>
`;
}
