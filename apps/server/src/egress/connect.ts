import { connect, type Socket } from 'node:net';
import type { EgressHost } from './egress-host.ts';
import { checkedAddresses, type Resolve, unreachable } from './resolve.ts';

/** Most addresses of a host that are tried. */
const TRIES = 4;

function connectTo(address: string, port: number, timeoutMs: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  // An address, never a name: what was checked is what is connected to.
  const socket = connect({ host: address, port, autoSelectFamily: false, allowHalfOpen: true });
  socket.setTimeout(timeoutMs, () =>
    socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })),
  );
  socket.once('error', reject);
  socket.once('connect', () => {
    socket.setTimeout(0);
    socket.off('error', reject);
    resolve(socket);
  });
  return promise;
}

/**
 * Connects to a host of the list, at an address that was checked.
 * @param timeoutMs how long each of its addresses may take to answer
 * @throws EgressError when it is refused or does not answer
 */
export async function connectToHost(host: EgressHost, resolve: Resolve, timeoutMs: number): Promise<Socket> {
  let last: unknown = null;
  for (const address of (await checkedAddresses(host, resolve)).slice(0, TRIES)) {
    try {
      return await connectTo(address, host.port, timeoutMs);
    } catch (error) {
      last = error;
    }
  }
  throw unreachable(host, last, 502);
}
