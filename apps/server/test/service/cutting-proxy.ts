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
  close(): Promise<void>;
}

/** Opens a line to the server at an address. */
export async function openCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const sent: string[] = [];
  let closedUntil = 0;
  let losing: string | undefined;
  let lost = 0;
  const server = createServer((near) => {
    if (Date.now() < closedUntil) {
      near.destroy();
      return;
    }
    const place = sent.push('') - 1;
    const far = connect(Number(port), hostname);
    const end = (): void => {
      near.destroy();
      far.destroy();
      open.delete(near);
    };
    open.add(near);
    for (const socket of [near, far]) socket.on('error', end).on('close', end);
    near.on('data', (chunk) => {
      sent[place] += chunk.toString('latin1');
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (losing !== undefined && sent[place]?.includes(losing)) {
        losing = undefined;
        lost += 1;
        end();
      } else near.write(chunk);
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
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
