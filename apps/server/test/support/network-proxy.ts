import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A wire to the network that can be cut at a chosen moment. */
export interface NetworkProxy {
  readonly url: string;
  /**
   * Called when an update call has arrived at the wire (`before` the network has it) or its answer has (`after`).
   * @param skip calls that pass before
   * @param method whose calls are meant; any where absent
   */
  cutAt(moment: 'before' | 'after', cut: () => void, skip?: number, method?: string): void;
  /** From now on each request is answered with this status, as a gateway does that has lost the network. */
  refuse(status: number): void;
  /** From now on no update call reaches the network, and none is answered. */
  silence(): void;
  /** The next update call of a method is taken, as a node takes it, and goes no further. Resolves once it was. */
  lose(method: string): Promise<void>;
  /** Work that is done before the next update call of a method goes on to the network, once. */
  beforeCall(method: string, work: () => Promise<unknown>): void;
  heal(): void;
  close(): Promise<void>;
}

/** A call was taken, and its outcome is to be asked for (interface specification, asynchronous call). */
const ACCEPTED = 202;

/** Whether an envelope calls a method. Its argument may be a module, in which there is every name. */
function isCallOf(envelope: Buffer, method: string | undefined): boolean {
  if (method === undefined) return true;
  // A text of CBOR has its length before it (RFC 8949, 3).
  const length = method.length < 24 ? [0x60 + method.length] : [0x78, method.length];
  return envelope.includes(
    Buffer.concat([Buffer.from('method_name'), Buffer.from(length), Buffer.from(method)]),
  );
}

export async function startNetworkProxy(target: string): Promise<NetworkProxy> {
  let cutting:
    | { moment: 'before' | 'after'; cut: () => void; skip: number; method: string | undefined }
    | undefined;
  let isSilent = false;
  let refusing: number | undefined;
  let losing: { method: string; lost: () => void } | undefined;
  let waiting: { method: string; work: () => Promise<unknown> } | undefined;
  const server = createServer(async (request, response) => {
    const isCall = request.url?.endsWith('/call') === true;
    if (isCall && isSilent) return;
    const body = Buffer.concat(await request.toArray());
    const isMeant = isCall && cutting !== undefined && isCallOf(body, cutting.method);
    const active = isMeant && cutting?.skip === 0 ? cutting : undefined;
    if (isMeant && cutting !== undefined && cutting.skip > 0) cutting.skip -= 1;
    if (active?.moment === 'before') {
      request.socket.destroy();
      active.cut();
      return;
    }
    if (refusing !== undefined) {
      response.writeHead(refusing).end('The network is away.');
      return;
    }
    if (isCall && losing !== undefined && isCallOf(body, losing.method)) {
      losing.lost();
      losing = undefined;
      response.writeHead(ACCEPTED).end();
      return;
    }
    if (isCall && waiting !== undefined && body.includes(waiting.method)) {
      const { work } = waiting;
      waiting = undefined;
      await work();
    }
    const forwarded = httpRequest(
      new URL(request.url ?? '/', target),
      { method: request.method, headers: request.headers },
      (answer) => {
        if (active?.moment === 'after') {
          // The network has carried the call out by the time it answers; nobody hears of it.
          answer.resume();
          answer.once('end', () => {
            request.socket.destroy();
            active.cut();
          });
          return;
        }
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    forwarded.on('error', () => request.socket.destroy());
    forwarded.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutAt: (moment, cut, skip = 0, method) => {
      cutting = { moment, cut, skip, method };
    },
    refuse: (status) => {
      refusing = status;
    },
    silence: () => {
      isSilent = true;
    },
    lose: (method) =>
      new Promise((lost) => {
        losing = { method, lost };
      }),
    beforeCall: (method, work) => {
      waiting = { method, work };
    },
    heal: () => {
      cutting = undefined;
      waiting = undefined;
      losing = undefined;
      isSilent = false;
      refusing = undefined;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
