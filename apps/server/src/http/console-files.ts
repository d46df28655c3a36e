import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { AppError, errorAnswer } from '../errors.ts';

/** First path segments that belong to the service; an unknown path below them is an error answer, not the console. */
const SERVICE_PATHS = /^\/(api|auth|oidc|sign-in|candid|assets|api-docs)(\/|$)/;

const NOT_BUILT = 'The console is not built yet: run "npm run build" in the project, then reload this page.';

/** Serves the built console: its files, and its index.html for every page address it knows by itself. */
export async function serveConsole(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    redirect: false,
    decorateReply: false,
    wildcard: true,
    // Files below /assets/ carry a hash of their content in their name.
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(folder, 'assets'));
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const page = async (name: string): Promise<{ status: number; html: string }> => {
    const path = join(folder, name);
    if (!existsSync(path))
      return { status: 503, html: `<!doctype html><title>Cannery</title><p>${NOT_BUILT}</p>` };
    return { status: 200, html: await readFile(path, 'utf8') };
  };
  const send = (name: string) => async (_request: unknown, reply: import('fastify').FastifyReply) => {
    const { status, html } = await page(name);
    return reply.code(status).header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(html);
  };
  app.get('/candid/', send('candid/index.html'));
  app.get('/', send('index.html'));
  const index = send('index.html');
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') &&
      !SERVICE_PATHS.test(path) &&
      !/\.git(\/|$)/.test(path) &&
      !/\.[a-z0-9]{2,5}$/i.test(path);
    if (isPage) return index(request, reply);
    const { status, body } = errorAnswer(new AppError('not_found', 'There is nothing at this address.'));
    return reply.code(status).send(body);
  });
}
