import { timingSafeEqual } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { hostOf } from '../config/host-and-port.ts';
import { connectToHost, EgressError, type Resolve } from './connect.ts';
import { type EgressHost, findHost } from './egress-host.ts';

/** What one way out may use. */
export interface EgressLimits {
  /** Connections at a time. */
  readonly connections: number;
  /** Bytes in both directions together. */
  readonly bytes: number;
  /** How long a connection may be silent, and a host take to answer, in milliseconds. */
  readonly idleMs: number;
  readonly connectMs: number;
}

/** Enough for the largest installations seen (npm keeps 15 connections a host), little enough for a shared machine. */
export const defaultEgressLimits: EgressLimits = {
  connections: 128,
  bytes: 4 * 1024 ** 3,
  idleMs: 120_000,
  connectMs: 15_000,
};

export interface TunnelOptions {
  readonly hosts: readonly EgressHost[];
  readonly limits: EgressLimits;
  /** A socket file to make, or a token that callers on a loopback port must show. */
  readonly at: { readonly socket: string } | { readonly token: string };
  readonly resolve: Resolve;
  /** Why something was refused or failed, once for each reason; a sentence for the log of whoever asked. */
  onNote(text: string): void;
  /** What became of a connection that was asked for. */
  onConnection?(result: ConnectionResult): void;
}

/** `refused`: the host is not on the list, or not public. */
export type ConnectionResult = 'opened' | 'refused' | 'failed';

/** One open way out: a proxy with a list of hosts and a budget. */
export interface EgressTunnel {
  /** Port on 127.0.0.1; 0 with a socket file. */
  readonly port: number;
  close(): void;
}

/** Different notes that are passed on; a build that provokes more has said enough. */
const MAX_NOTES = 20;
const HEADER_BYTES = 16 * 1024;
const HEADER_MS = 10_000;
/** Headers that concern one connection only (RFC 9110, 7.6.1), and what is between the caller and the proxy. */
const HOP_HEADERS = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function sameText(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function endToEnd(headers: IncomingMessage['headers']): Record<string, string | string[]> {
  const kept = Object.entries(headers).filter(([name]) => !HOP_HEADERS.has(name));
  return Object.fromEntries(kept) as Record<string, string | string[]>;
}

/** Opens a way out. @throws Error when the socket file or port cannot be had */
export async function openTunnel(options: TunnelOptions): Promise<EgressTunnel> {
  const { hosts, limits, resolve } = options;
  const notes = new Set<string>();
  const sockets = new Set<Duplex>();
  let bytes = 0;

  const note = (text: string): void => {
    if (notes.has(text) || notes.size >= MAX_NOTES) return;
    notes.add(text);
    options.onNote(text);
  };
  const close = (): void => {
    server.close();
    server.closeAllConnections();
    for (const socket of sockets) socket.destroy();
  };
  const track = <S extends Duplex>(socket: S): S => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const spend = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= limits.bytes) return;
    note(`More than ${Math.round(limits.bytes / 1024 ** 2)} MB went over the network, which is the limit.`);
    close();
  };
  const isKnown = (request: IncomingMessage): boolean => {
    if ('socket' in options.at) return true;
    const wanted = `Basic ${Buffer.from(`${options.at.token}:`).toString('base64')}`;
    return sameText(request.headers['proxy-authorization'] ?? '', wanted);
  };
  const hostFor = (name: string, port: number, plain: boolean): EgressHost => {
    const host = findHost(hosts, { name, port, plain });
    if (host !== null) return host;
    const scheme = plain ? 'http://' : '';
    throw new EgressError(
      `${scheme}${name.slice(0, 253)}:${port} was refused: it is not one of the registries and git hosts that this console allows.`,
      403,
    );
  };
  /** Connections that are being made, also for those who have left: a look-up goes on without them. */
  let making = 0;
  /** @param asker who waits for it: when that is closed, nobody does any more */
  const connected = async (host: EgressHost, asker: Duplex | ServerResponse): Promise<Socket> => {
    if (making >= limits.connections)
      throw new EgressError(
        `More than ${limits.connections} connections were asked for at once, which is the limit.`,
        502,
      );
    const left = new AbortController();
    const gone = new EgressError('Whoever asked has left.', 502);
    const leave = (): void => left.abort(gone);
    asker.once('close', leave);
    making += 1;
    try {
      const socket = await connectToHost(host, resolve, limits.connectMs, left.signal);
      // Also one that had left before it was listened to.
      if (asker.destroyed) {
        socket.destroy();
        throw gone;
      }
      options.onConnection?.('opened');
      return socket;
    } finally {
      making -= 1;
      asker.off('close', leave);
    }
  };
  /** Notes an error and answers its status and text. */
  const failure = (error: unknown): { status: number; text: string } => {
    const known = error instanceof EgressError ? error : new EgressError('The connection failed.', 502);
    note(known.message);
    options.onConnection?.(known.status === 403 ? 'refused' : 'failed');
    return { status: known.status, text: `${known.message}\n` };
  };

  const serverOptions = { maxHeaderSize: HEADER_BYTES, headersTimeout: HEADER_MS, requestTimeout: 0 };
  const server = createServer(serverOptions);
  server.maxConnections = limits.connections;
  server.timeout = limits.idleMs;
  /** Reads what is said in tunnels to plain hosts, and where these lead. */
  const tunnelled = createServer(serverOptions);
  tunnelled.timeout = limits.idleMs;
  const origins = new WeakMap<Duplex, string>();

  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    track(client).on('error', () => client.destroy());
    const refuse = (status: number, text: string): void => {
      const auth = status === 407 ? 'Proxy-Authenticate: Basic realm="egress"\r\n' : '';
      client.end(
        `HTTP/1.1 ${status} Refused\r\n${auth}Content-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
      );
    };
    const tunnel = async (): Promise<void> => {
      if (!isKnown(request)) return refuse(407, 'This proxy asks for a token.\n');
      const target = hostOf(request.url ?? '');
      if (target === null) return refuse(400, 'The address cannot be read.\n');
      if (findHost(hosts, { ...target, plain: true }) !== null) return readPlain(client, head, target);
      const host = hostFor(target.name, target.port, false);
      const upstream = track(await connected(host, client));
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        from.setTimeout(limits.idleMs, () => from.destroy());
        from.on('data', spend);
        from.on('error', () => from.destroy());
        from.once('close', () => to.destroy());
      }
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.length > 0) upstream.write(head);
      client.pipe(upstream);
      upstream.pipe(client);
    };
    tunnel().catch((error: unknown) => {
      if (client.destroyed) return;
      const { status, text } = failure(error);
      refuse(status, text);
    });
  });

  /**
   * Some programs (yarn 2 and later) ask for a tunnel to a plain host as well. What they say in it is read, so that they speak
   * to that host under its name only.
   */
  const readPlain = (client: Socket, head: Buffer, { name, port }: { name: string; port: number }): void => {
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) client.unshift(head);
    origins.set(client, `http://${name}:${port}`);
    tunnelled.emit('connection', client);
  };
  tunnelled.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    const origin = origins.get(request.socket) ?? '';
    answer(response, async (refuse) => {
      if (!path.startsWith('/')) return refuse(400, 'The address cannot be read.\n');
      await forward(request, response, new URL(origin + path));
    });
  });

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    answer(response, async (refuse) => {
      if (!isKnown(request))
        return refuse(407, 'This proxy asks for a token.\n', {
          'Proxy-Authenticate': 'Basic realm="egress"',
        });
      const address = request.url ?? '';
      if (!/^http:\/\//i.test(address) || !URL.canParse(address))
        return refuse(400, 'This is a proxy: ask it for an http address.\n');
      await forward(request, response, new URL(address));
    });
  });

  type Refuse = (status: number, text: string, headers?: Record<string, string>) => void;
  const answer = (response: ServerResponse, work: (refuse: Refuse) => Promise<void>): void => {
    const refuse = (status: number, text: string, headers: Record<string, string> = {}): void => {
      if (response.headersSent) response.destroy();
      else
        response
          .writeHead(status, { 'Content-Type': 'text/plain', Connection: 'close', ...headers })
          .end(text);
    };
    work(refuse).catch((error: unknown) => {
      if (response.destroyed) return;
      const { status, text } = failure(error);
      refuse(status, text);
    });
  };
  const forward = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const host = hostFor(url.hostname, Number(url.port || 80), true);
    const upstream = track(await connected(host, response));
    upstream.setTimeout(limits.idleMs, () => upstream.destroy());
    const out = httpRequest({
      createConnection: () => upstream,
      method: request.method,
      path: `${url.pathname}${url.search}`,
      headers: { ...endToEnd(request.headers), host: url.host, connection: 'close' },
      setHost: false,
    });
    const fail = (): void => {
      if (response.headersSent) response.destroy();
      else
        response
          .writeHead(502, { 'Content-Type': 'text/plain', Connection: 'close' })
          .end('The connection failed.\n');
    };
    out.once('error', fail);
    out.once('response', (from) => {
      const { statusCode: status = 0 } = from;
      // The parser takes any three digits; passed on, some of them would end this process with the ways of all builds.
      if (status < 200 || status > 599) {
        out.destroy();
        return fail();
      }
      response.writeHead(status, endToEnd(from.headers));
      from.on('data', spend);
      from.once('error', () => response.destroy());
      from.pipe(response);
    });
    response.once('close', () => upstream.destroy());
    request.on('data', spend);
    request.pipe(out);
  };

  await new Promise<void>((ready, failed) => {
    server.once('error', failed);
    server.once('listening', () => ready());
    if ('socket' in options.at) server.listen(options.at.socket);
    else server.listen(0, '127.0.0.1');
  });
  // A build may run as another user than the server; the folder around the file keeps everybody else away.
  if ('socket' in options.at) await chmod(options.at.socket, 0o666);
  return { port: 'socket' in options.at ? 0 : (server.address() as AddressInfo).port, close };
}
