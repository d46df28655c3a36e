import { type Server, createServer } from 'node:http';
import { StartError } from './errors.ts';

/** Longer than proxies keep an idle connection (60 s as a rule): whoever reuses one must not find it closed. */
const KEEP_ALIVE_MS = 65_000;

/**
 * Binds the console's port at once; until the product is ready every call is answered by 503.
 * @throws StartError when the port is taken or may not be used
 */
export async function listen(host: string, port: number): Promise<{ server: Server; port: number }> {
  const server = createServer((_request, response) => {
    response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '1' });
    response.end('Cannery is starting. Try again in a moment.\n');
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
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
