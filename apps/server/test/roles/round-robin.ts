import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';

/** A proxy before several api roles: each request goes to the next one that takes a connection. */
export interface RoundRobin {
  readonly url: string;
  /** Requests that each of them was given. */
  readonly given: readonly number[];
  close(): Promise<void>;
}

/** Headers that are about the connection, or that only a proxy may write. */
const NOT_PASSED: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'expect',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'forwarded',
]);

/**
 * How long a client may keep a connection that it does not use, in milliseconds, as nginx has it: a test that computes for some
 * seconds goes on with the connection that it had.
 */
const KEEP_ALIVE_MS = 75_000;

/** @param ports of the api roles on loopback */
export async function startRoundRobin(port: number, ports: readonly number[]): Promise<RoundRobin> {
  const given = ports.map(() => 0);
  let next = 0;
  const reach = async (): Promise<Socket | undefined> => {
    // Others choose meanwhile: which ones are tried is decided here.
    const first = next++;
    for (let tried = 0; tried < ports.length; tried += 1) {
      const at = (first + tried) % ports.length;
      const socket = await open(ports[at] ?? 0);
      if (socket === undefined) continue;
      given[at] = (given[at] ?? 0) + 1;
      return socket;
    }
    return undefined;
  };
  const server = createServer((from, to) => {
    reach().then(
      (socket) => (socket === undefined ? to.writeHead(502).end() : pass(from, to, socket)),
      () => to.destroy(),
    );
  });
  // What a client may take is for the api roles to say.
  server.requestTimeout = 0;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://localhost:${port}`, given, close: () => closed(server) };
}

/** A connection, or undefined where nobody takes one. */
async function open(port: number): Promise<Socket | undefined> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  return isOpen ? socket : undefined;
}

function pass(from: IncomingMessage, to: ServerResponse, socket: Socket): void {
  const headers: string[] = [];
  for (let at = 0; at < from.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = from.rawHeaders.slice(at, at + 2);
    if (!NOT_PASSED.has(name.toLowerCase())) headers.push(name, value);
  }
  headers.push('Connection', 'close', 'X-Forwarded-For', from.socket.remoteAddress ?? '127.0.0.1');
  headers.push('X-Forwarded-Proto', 'http');
  const asked = request({ method: from.method, path: from.url, headers, createConnection: () => socket });
  asked.on('error', () => to.destroy());
  asked.on('response', (answer) => {
    const passed: string[] = [];
    for (let at = 0; at < answer.rawHeaders.length; at += 2) {
      const [name = '', value = ''] = answer.rawHeaders.slice(at, at + 2);
      if (!['connection', 'keep-alive', 'transfer-encoding'].includes(name.toLowerCase()))
        passed.push(name, value);
    }
    to.writeHead(answer.statusCode ?? 502, passed);
    // A stream of news has a head long before it has a body.
    to.flushHeaders();
    answer.on('error', () => to.destroy());
    answer.pipe(to);
  });
  to.on('close', () => {
    asked.destroy();
    // What an api has not taken of a request that it has refused would stand before the next one of the connection.
    from.unpipe(asked);
    from.resume();
  });
  from.pipe(asked);
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
