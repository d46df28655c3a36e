import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Listens on a fixed port and changes what the network answers, as an attacker between it and the client would. */
export class TamperingProxy implements AsyncDisposable {
  readonly #target: string;
  readonly #server = createServer((request, response) => {
    this.#forward(request).then(
      ({ status, body }) => response.writeHead(status, { 'content-type': 'application/cbor' }).end(body),
      (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
    );
  });

  private constructor(target: string) {
    this.#target = target;
  }

  /** A proxy on `port` of this machine in front of the network at the address `target`. */
  static async start(target: string, port: number): Promise<TamperingProxy> {
    const proxy = new TamperingProxy(target);
    proxy.#server.listen(port, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #forward(request: IncomingMessage): Promise<{ readonly status: number; readonly body: Buffer }> {
    const { method = 'GET', url = '/' } = request;
    const sent = await buffer(request);
    const answer = await fetch(new URL(url, this.#target), {
      method,
      headers: { 'content-type': 'application/cbor' },
      ...(method === 'POST' ? { body: new Uint8Array(sent) } : {}),
    });
    return { status: answer.status, body: tamper(Buffer.from(await answer.arrayBuffer())) };
  }
}

/** What the suite asks of its proxy: every `Hello` becomes `Hullo`. */
function tamper(body: Buffer): Buffer {
  return Buffer.from(body.toString('latin1').replaceAll('Hello', 'Hullo'), 'latin1');
}
