import { type Server, createServer } from 'node:http';
import { parseInTurns } from '@cannery/network/parse-in-turns';
import { StartError } from './errors.ts';
import { BARE_HEADERS } from './http/console/security-headers.ts';

/** Longer than proxies keep an idle connection (60 s as a rule): whoever reuses one must not find it closed. */
const KEEP_ALIVE_MS = 65_000;

/** What a connection may take of the server, in milliseconds where it is a time. */
export interface ConnectionLimits {
  /** From the connection, or the end of the request before, to the last header. */
  readonly headersMs: number;
  /** To the last byte of the body; a push may take its time. Routes have shorter ones. */
  readonly requestMs: number;
  /** How often connections are looked at. */
  readonly checkMs: number;
  readonly headerBytes: number;
  /** Connections at the same time; more are closed at once. */
  readonly connections: number;
}

const LIMITS: ConnectionLimits = {
  headersMs: 15_000,
  requestMs: 30 * 60_000,
  checkMs: 5_000,
  headerBytes: 16 * 1024,
  connections: 8_192,
};

/**
 * Binds the console's port at once; until the product is ready every call is answered by 503.
 * @throws StartError when the port is taken or may not be used
 */
export async function listen(
  host: string,
  port: number,
  limits: ConnectionLimits = LIMITS,
): Promise<{ server: Server; port: number }> {
  const options = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkMs,
    maxHeaderSize: limits.headerBytes,
  };
  const server = createServer(options, (_request, response) => {
    response.writeHead(503, {
      ...BARE_HEADERS,
      'content-type': 'text/plain; charset=utf-8',
      'retry-after': '1',
    });
    response.end('Cannery is starting. Try again in a moment.\n');
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.maxConnections = limits.connections;
  server.on('connection', parseInTurns);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new StartError(reasonOf(error, host, port), { cause: error })));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : port };
}

function reasonOf(error: Error, host: string, port: number): string {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken by another program. Stop it, or set PORT to another one.`;
  if (code === 'EACCES') return `Port ${port} may not be used by this user. Set PORT to one above 1023.`;
  return `The server cannot listen on ${host}:${port}: ${error.message}`;
}
