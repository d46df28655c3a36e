import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** How long an answer is waited for, in milliseconds. */
const PATIENCE_MILLIS = 2_500;

/** A request in bytes; a length is added where there is a body. */
export function requestOf(
  line: string,
  {
    host = 'localhost',
    headers = [],
    body,
  }: { host?: string; headers?: readonly string[]; body?: Uint8Array } = {},
): Buffer {
  const length = body === undefined ? [] : [`Content-Length: ${body.length}`];
  const head = [`${line} HTTP/1.1`, `Host: ${host}`, ...headers, ...length, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), body ?? Buffer.alloc(0)]);
}

/** A request that has a body. */
export function posted(
  path: string,
  body: Uint8Array,
  type = 'application/cbor',
  ...headers: string[]
): Buffer {
  return requestOf(`POST ${path}`, { headers: [`Content-Type: ${type}`, ...headers], body });
}

/** One attacker at one address: opens connections to one port, and counts how they are answered. */
export class Attack {
  readonly port: number;
  readonly address: string;
  readonly #sockets = new Set<Socket>();
  readonly #answers = new Map<string, number>();
  readonly #end: number;

  /** @param millis after which the attack is over */
  constructor(port: number, address: string, millis: number) {
    this.port = port;
    this.address = address;
    this.#end = performance.now() + millis;
  }

  get isOver(): boolean {
    return performance.now() > this.#end;
  }

  /** Statuses of answers, or `cut` and `silent`, with their numbers. */
  get answers(): string {
    const all = [...this.#answers].toSorted(([, a], [, b]) => b - a);
    return all.map(([what, count]) => `${what}: ${count}`).join(', ');
  }

  /** A connection, whose end is no error. `from` is another address for it. */
  open(from = this.address): Socket {
    const socket = connect({ port: this.port, host: '127.0.0.1', localAddress: from, allowHalfOpen: true });
    this.#sockets.add(socket);
    // Each piece that is poured waits for the connection to drain or close.
    socket.setMaxListeners(0);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
    return socket;
  }

  /** Counts how something ended. */
  note(answer: string): void {
    this.#answers.set(answer, (this.#answers.get(answer) ?? 0) + 1);
  }

  /** Sends bytes and reads the status of the first answer; `goOn` may send more. */
  async send(
    bytes: Uint8Array | string,
    { from, goOn }: { from?: string; goOn?: (socket: Socket) => Promise<void> } = {},
  ): Promise<void> {
    const socket = this.open(from);
    const { promise: answered, resolve } = Promise.withResolvers<string>();
    let head = '';
    socket.on('data', (chunk: Buffer) => {
      if (head.length < 32) head += chunk.toString('latin1', 0, 32);
      if (head.length >= 12) resolve(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 'other');
    });
    socket.on('close', () => resolve('cut'));
    socket.on('end', () => resolve('cut'));
    const timer = setTimeout(() => resolve('silent'), PATIENCE_MILLIS);
    socket.write(bytes);
    void goOn?.(socket);
    const answer = await answered;
    clearTimeout(timer);
    this.note(answer);
    socket.destroy();
  }

  /** Does `work` this many times, some beside each other, as long as there is time. */
  async many(count: number, beside: number, work: (index: number) => Promise<unknown>): Promise<void> {
    let next = 0;
    const loop = async (): Promise<void> => {
      while (next < count && !this.isOver) {
        next += 1;
        await work(next - 1);
      }
    };
    await Promise.all(Array.from({ length: beside }, loop));
  }

  /** Sends these requests in turns, `count` in all, each on its own connection. */
  async all(requests: readonly Uint8Array[], count: number, beside = 10): Promise<void> {
    await this.many(count, beside, (index) =>
      this.send(requests[index % requests.length] ?? Buffer.alloc(0)),
    );
  }

  /** Writes what `piece` gives, as long as the other side takes it and there is time. */
  async pour(socket: Socket, piece: () => Uint8Array): Promise<void> {
    while (!socket.destroyed && !this.isOver) {
      if (socket.write(piece())) await delay(0);
      else await Promise.race([drained(socket), this.hold()]);
    }
  }

  /** Writes a byte of `bytes` now and then. */
  async drip(socket: Socket, bytes: Uint8Array, everyMillis: number): Promise<void> {
    for (const byte of bytes) {
      if (socket.destroyed || this.isOver) return;
      socket.write(Uint8Array.of(byte));
      await delay(everyMillis);
    }
  }

  /** Waits until the attack is over. */
  async hold(): Promise<void> {
    await delay(Math.max(0, this.#end - performance.now()));
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

function drained(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.once('drain', resolve);
  socket.once('close', resolve);
  return promise;
}
