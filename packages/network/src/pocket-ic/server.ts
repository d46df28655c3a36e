import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { type HttpReply, textReply } from '../http/endpoints/service.ts';
import { AddressInUseError } from '../http/server.ts';
import { RequestError } from '../http/transport/request-error.ts';
import { checkHost, DEFAULT_HOST, ServedHosts } from '../http/transport/served-hosts.ts';
import { Blobs } from './instance/blobs.ts';
import { Instances } from './instance/instances.ts';
import { type Answer, answerRequest, type Program } from './routes.ts';
import { writeJson } from './wire/json.ts';

/** A running program; to dispose of it ends all instances. */
export interface PocketIc extends AsyncDisposable {
  readonly port: number;
  /** When the last request came, in milliseconds since 1970. */
  readonly lastRequestMillis: number;
}

/** It answers to the names of loopback only. */
const HOSTS = new ServedHosts([]);

/**
 * Listens on loopback for the REST interface of PocketIC, as PicJS 0.23 speaks it. Whoever reaches it may do all that it can do, so
 * that web pages are refused. Rejects with `AddressInUseError`.
 * @param stateDir folder below which instances may keep their states under names
 */
export async function startPocketIc({
  port,
  stateDir,
}: {
  readonly port: number;
  readonly stateDir?: string | undefined;
}): Promise<PocketIc> {
  await using resources = new AsyncDisposableStack();
  const program = { instances: resources.use(new Instances(stateDir)), blobs: new Blobs() };
  let lastRequestMillis = Date.now();
  const server = createServer((request, response) => {
    lastRequestMillis = Date.now();
    void respond(program, request, response);
  });
  try {
    server.listen(port, DEFAULT_HOST);
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new AddressInUseError(`Port ${port} is in use by another program.`);
  }
  resources.defer(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  const running = resources.move();
  return {
    port: (server.address() as AddressInfo).port,
    get lastRequestMillis() {
      return lastRequestMillis;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function respond(program: Program, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, contentType, body } = replyOf(await answerOf(program, request, response));
  if (response.destroyed) return;
  if (contentType !== undefined) response.setHeader('content-type', contentType);
  if (!request.complete) response.setHeader('connection', 'close');
  response.writeHead(status).end(body);
}

function replyOf(answer: Answer): HttpReply {
  if ('reply' in answer) return answer.reply;
  const { status, body, isText } = answer;
  if (isText) return textReply(status, String(body));
  return { status, contentType: 'application/json', body: Buffer.from(writeJson(body)) };
}

async function answerOf(
  program: Program,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Answer> {
  try {
    checkHost(request, HOSTS);
    if (request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined)
      throw new RequestError(403, 'Web pages may not control instances.');
    return await answerRequest(program, request, response);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { status: error instanceof RequestError ? error.status : 400, body: { message } };
  }
}
