import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServedHosts } from '@cannery/network/hosts';
import { isLoopback } from '../config/config.ts';
import { StartError } from '../errors.ts';

/** An answer to an operator's program. */
export interface DoorAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** What is answered at each address. */
export type DoorAnswers = Readonly<Record<string, () => Promise<DoorAnswer>>>;

/** A program asks every few seconds on a connection or two; in milliseconds and bytes. */
const LIMITS = { headersMs: 5_000, requestMs: 10_000, headerBytes: 8 * 1024, connections: 64 };

/** A listener that only operators reach. */
export interface Door extends AsyncDisposable {
  readonly port: number;
}

/**
 * Opens a listener apart from the public one: nothing of it is at an address that strangers reach. On loopback it answers to names of
 * loopback only, since a web page can have its own name point there.
 * @throws StartError when the port is taken or may not be used
 */
export async function openDoor(
  { host, port }: { host: string; port: number },
  answers: DoorAnswers,
): Promise<Door> {
  const hosts = isLoopback(host) ? new ServedHosts([host]) : undefined;
  const options = {
    headersTimeout: LIMITS.headersMs,
    requestTimeout: LIMITS.requestMs,
    maxHeaderSize: LIMITS.headerBytes,
  };
  const server = createServer(options, (request, response) => {
    respond(answers, hosts, request).then(
      (answer) => send(response, answer),
      () => send(response, plain(500, 'This could not be found out.')),
    );
  });
  server.maxConnections = LIMITS.connections;
  await listen(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(
  answers: DoorAnswers,
  hosts: ServedHosts | undefined,
  { url = '/', method, headers }: IncomingMessage,
): Promise<DoorAnswer> {
  if (hosts !== undefined && hosts.find(headers.host) === undefined)
    return plain(421, 'This is asked for by an address of loopback.');
  const path = url.split('?', 1)[0] ?? '/';
  const answer = Object.hasOwn(answers, path) ? answers[path] : undefined;
  if (answer === undefined)
    return plain(404, `There is nothing here but ${Object.keys(answers).join(', ')}.`);
  if (method !== 'GET' && method !== 'HEAD') return plain(405, 'This is asked for by GET.');
  return answer();
}

function plain(status: number, sentence: string): DoorAnswer {
  return { status, type: 'text/plain; charset=utf-8', body: `${sentence}\n` };
}

function send(response: ServerResponse, { status, type, body }: DoorAnswer): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  // To HEAD Node sends no body.
  response.end(body);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE' ? `METRICS_PORT ${port} is taken by another program` : error.message;
      reject(
        new StartError(
          `Metrics cannot be answered on ${host}:${port}: ${why}. Set METRICS_PORT and METRICS_HOST.`,
          {
            cause: error,
          },
        ),
      );
    });
    server.listen(port, host, resolve);
  });
}
