import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line to a server that a test can cut. */
export interface CuttingProxy {
  readonly url: string;
  /** All that was sent to the server, one text for each connection. */
  readonly sent: readonly string[];
  /** Cuts all connections, and takes no new one for a while. */
  cut(ms: number): void;
  /** Cuts the connection on which this text goes to the server as soon as the server answers, and loses the answer. */
  loseAnswerTo(text: string): void;
  /** How many answers it has lost. */
  lost(): number;
  /** Passes nothing on from now on, neither way, and ends nothing: as a host that has lost its power. */
  hush(): void;
  /** Passes everything on again; what was held back is lost with its connections. */
  speak(): void;
  /** Holds each piece of an answer back for a number of milliseconds. */
  slowDown(ms: number): void;
  /** Says to the server that nothing more comes on any connection, and goes on to pass its answers. */
  halfClose(): void;
  close(): Promise<void>;
}

/** Opens a line to the server at an address, or at the path of a socket. */
export async function openCuttingProxy(target: string): Promise<CuttingProxy> {
  const reach = (): Socket => {
    if (target.startsWith('/')) return connect(target);
    const { hostname, port } = new URL(target);
    return connect(Number(port), hostname);
  };
  const open = new Set<Socket>();
  const outward = new Set<Socket>();
  const sent: string[] = [];
  let isHushed = false;
  let slowMs = 0;
  let closedUntil = 0;
  let losing: string | undefined;
  let lost = 0;
  const server = createServer((near) => {
    if (Date.now() < closedUntil) {
      near.destroy();
      return;
    }
    const place = sent.push('') - 1;
    /** What was sent since the last piece of an answer. */
    let asked = '';
    const far = reach();
    const end = (): void => {
      near.destroy();
      far.destroy();
      open.delete(near);
      outward.delete(far);
    };
    open.add(near);
    outward.add(far);
    for (const socket of [near, far]) socket.on('error', end).on('close', end);
    near.on('data', (chunk) => {
      if (isHushed) return;
      const text = chunk.toString('latin1');
      sent[place] += text;
      asked += text;
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (isHushed) return;
      if (losing !== undefined && asked.includes(losing)) {
        losing = undefined;
        lost += 1;
        end();
        return;
      }
      asked = '';
      if (slowMs === 0) near.write(chunk);
      else setTimeout(() => near.write(chunk), slowMs);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    cut(ms) {
      closedUntil = Date.now() + ms;
      for (const socket of open) socket.destroy();
    },
    loseAnswerTo(text) {
      losing = text;
    },
    lost: () => lost,
    hush() {
      isHushed = true;
    },
    speak() {
      isHushed = false;
      for (const socket of open) socket.destroy();
    },
    slowDown(ms) {
      slowMs = ms;
    },
    halfClose() {
      for (const socket of outward) socket.end();
    },
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
