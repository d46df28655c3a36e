import type { IncomingMessage } from 'node:http';
import type { PublicConfig } from '@cannery/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { REQUEST_ID } from '../../log/request-context.ts';
import { sendError } from '../handle-errors.ts';
import { OF_DOCUMENTS } from './security-headers.ts';
import { openStaticFiles, type StaticFile, type StaticFiles } from './static-files.ts';

/** First path segments that belong to the service; an unknown path below them is an error answer, not the console. */
const SERVICE_PATHS = /^\/(api|auth|oidc|sign-in|candid|assets|api-docs)(\/|$)/;
/** Those of them that no person opens. */
const CALLED_PATHS = /^\/(api|auth|oidc|sign-in|api-docs)(\/|$)/;

const NOT_BUILT = 'The console is not built yet: run "npm run build" in the project, then reload this page.';

/** Files below /assets/ carry a hash of their content in their name; all others are asked for again each time. */
const CACHE_FOR_EVER = 'public, max-age=31536000, immutable';
const ASK_AGAIN = 'no-cache';

/** What a page is made of, and no document by itself: a script, a style sheet, a font. */
const PART_OF_PAGE = /^(?:text\/(?:javascript|css)|font\/)/;
/** Heads that say nothing of them; the console has no workers. */
const NOT_OF_PARTS = [
  ...OF_DOCUMENTS,
  'content-security-policy',
  'referrer-policy',
  // Nobody asks an operator for the line of a font.
  REQUEST_ID,
] as const;

/** The marks in a built page by which the console knows the address of the API, and what `GET /config` answers. */
const API_MARK = /(<meta name="cannery-api" content=")[^"]*(")/;
const CONFIG_MARK = /(<meta name="cannery-config" content=")[^"]*(")/;

/**
 * Serves the built console: its files, and its index.html for every page address it knows by itself.
 * @param apiUrl address of the API that the pages call
 * @param publicConfig written into the pages, so that nothing that depends on it comes late and moves what is shown; another object
 *   when it changes
 */
export async function serveConsole(
  app: FastifyInstance,
  {
    folder,
    apiUrl,
    publicConfig,
  }: { folder: string; apiUrl: string | undefined; publicConfig: () => PublicConfig },
): Promise<void> {
  const filesWith = (config: PublicConfig): StaticFiles =>
    openStaticFiles(folder, (path, bytes) => {
      if (!path.endsWith('.html')) return bytes;
      const withConfig = fillMark(bytes.toString(), CONFIG_MARK, JSON.stringify(config));
      return Buffer.from(apiUrl === undefined ? withConfig : fillMark(withConfig, API_MARK, apiUrl));
    });
  let config = publicConfig();
  let files = filesWith(config);
  const find = (path: string): Promise<StaticFile | undefined> => {
    const now = publicConfig();
    if (now !== config) {
      config = now;
      files = filesWith(config);
    }
    return files.find(path);
  };

  const page = (name: string) => async (request: FastifyRequest, reply: FastifyReply) => {
    const file = await find(name);
    if (file !== undefined) return sendFile(request, reply, file, ASK_AGAIN);
    return reply
      .code(503)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(`<!doctype html><title>Cannery</title><p>${NOT_BUILT}</p>`);
  };
  const index = page('index.html');
  app.get('/', index);
  app.get('/candid/', page('candid/index.html'));
  app.get('/*', async (request, reply) => {
    const path = pathOf(request).slice(1);
    const file = await find(path);
    if (file === undefined) return reply.callNotFound();
    return sendFile(request, reply, file, path.startsWith('assets/') ? CACHE_FOR_EVER : ASK_AGAIN);
  });
  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    // Names of repositories may look like files: what a person opens is a page nevertheless.
    const isPage =
      isOpenedPage(request.raw) ||
      (isRead && !SERVICE_PATHS.test(path) && !/\.git(\/|$)|\.[a-z0-9]{2,5}$/i.test(path));
    if (isPage) return index(request, reply);
    return sendError(reply, new AppError('not_found', 'There is nothing at this address.'));
  });
}

/** Writes a text into the attribute that a mark is. */
function fillMark(page: string, mark: RegExp, text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return page.replace(mark, (_all, start: string, end: string) => `${start}${escaped}${end}`);
}

/** Whether a browser opens a page, as against a page, git or a program that fetches something. */
function isOpenedPage({ method, url = '/', headers }: IncomingMessage): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html') && !CALLED_PATHS.test(url);
}

/**
 * The address by which a request is routed: a page that somebody opens by an address with a wrong escape, such as `/%`, is the console's
 * 'not found' as every other unknown one. What programs call wrongly is refused as before.
 */
export function routedUrl(request: IncomingMessage): string {
  const { url = '/' } = request;
  const [path = '/'] = url.split('?', 1);
  if (!isOpenedPage(request) || isDecodable(path)) return url;
  return path.replaceAll('%', '%25') + url.slice(path.length);
}

function isDecodable(path: string): boolean {
  try {
    // The result is used: a bundler leaves out a call whose result nobody uses, and with it the error.
    return decodeURIComponent(path).length <= path.length;
  } catch {
    return false;
  }
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '/';
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
  caching: string,
): Promise<FastifyReply> {
  reply.headers({ 'cache-control': caching, vary: 'accept-encoding' });
  // What never changes is never asked for again.
  if (caching !== CACHE_FOR_EVER) reply.header('etag', file.etag);
  if (PART_OF_PAGE.test(file.type)) for (const name of NOT_OF_PARTS) reply.removeHeader(name);
  const known = (request.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim());
  if (known.includes(file.etag)) return reply.code(304).send();
  const { bytes, coding } = await file.body(request.headers['accept-encoding']);
  if (coding !== undefined) reply.header('content-encoding', coding);
  return reply.type(file.type).send(bytes);
}
