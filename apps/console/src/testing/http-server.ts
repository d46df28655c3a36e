import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly body: string;
}

export interface TestServer extends AsyncDisposable {
  readonly base: string;
  readonly seen: SeenRequest[];
}

/** A real HTTP server on a free port that answers as told and keeps what it was asked. */
export async function startTestServer(
  answer: (request: SeenRequest) => {
    readonly status?: number;
    readonly body: unknown;
    /** Of JSON where it is left out. */
    readonly type?: string;
  },
): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const entry = {
        method: request.method ?? '',
        url: request.url ?? '',
        authorization: request.headers.authorization,
        contentType: request.headers['content-type'],
        body,
      };
      seen.push(entry);
      const { status = 200, body: reply, type = 'application/json' } = answer(entry);
      response.writeHead(status, { 'content-type': type });
      response.end(typeof reply === 'string' ? reply : JSON.stringify(reply));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}/api`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
