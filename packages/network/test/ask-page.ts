import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';

/** What a client asks a site for. */
export interface PageAsked {
  readonly port: number;
  /** Without the port. */
  readonly host: string;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PageSeen {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Asks for a page as a browser does that resolves `*.localhost` to this machine, on a connection that nobody else uses. */
export function askPage({ port, host, path = '/', method = 'GET', headers }: PageAsked): Promise<PageSeen> {
  const { promise, resolve, reject } = Promise.withResolvers<PageSeen>();
  const all = { host: `${host}:${port}`, ...headers };
  const options = { host: '127.0.0.1', port, path, method, agent: false, headers: all };
  const request = httpRequest(options, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
    );
  });
  request.on('error', reject).end();
  return promise;
}
