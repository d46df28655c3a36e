import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { isPublicAddress } from '@cannery/replica/public-address';
import type { EgressHost } from './egress-host.ts';

/** Answers the addresses of a name, best first. @throws Error with a code when there are none */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** The machine's own resolver, /etc/hosts included. Names under localhost are this machine (RFC 6761, 6.3), which not every resolver knows. */
export const systemResolve: Resolve = async (name) =>
  name.endsWith('.localhost')
    ? ['127.0.0.1']
    : (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address);

/**
 * What the proxy answers: refused; a name that is not known here, which no program tries again (npm would for a minute
 * and more after a 5xx); a host that did not answer.
 */
type EgressStatus = 403 | 421 | 502;

/** A connection that must not be made, or could not; the message is for the build's log. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  readonly status: EgressStatus;

  constructor(message: string, status: EgressStatus) {
    super(message);
    this.status = status;
  }
}

/** The error for a host that does not answer. */
function unreachable(host: EgressHost, error: unknown, status: 421 | 502): EgressError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
  return new EgressError(
    `The ${host.what} ${host.name} cannot be reached from this machine (${code}).`,
    status,
  );
}

/**
 * The addresses of a host that may be connected to. Each is used as it is: a second look-up could answer another.
 * @throws EgressError when the name is unknown, or when any address is not public and must be
 */
async function checkedAddresses(host: EgressHost, resolve: Resolve): Promise<readonly string[]> {
  const bare = host.name.replace(/^\[|\]$/g, '');
  const addresses =
    isIP(bare) === 0
      ? await resolve(host.name).catch((error: unknown) => {
          throw unreachable(host, error, 421);
        })
      : [bare];
  if (addresses.length === 0) throw unreachable(host, null, 421);
  const inner = host.mayBePrivate ? undefined : addresses.find((address) => !isPublicAddress(address));
  if (inner !== undefined) {
    throw new EgressError(
      `${host.name}:${host.port} was refused: its name leads to ${inner}, which is not a public address.`,
      403,
    );
  }
  return addresses;
}

/** Most addresses of a host that are tried. */
const TRIES = 4;

function connectTo(address: string, port: number, timeoutMs: number, signal?: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  // An address, never a name: what was checked is what is connected to.
  const socket = connect({ host: address, port, autoSelectFamily: false, allowHalfOpen: true });
  socket.setTimeout(timeoutMs, () =>
    socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })),
  );
  const leave = (): void => void socket.destroy(new Error('Nobody waits for it any more.'));
  signal?.addEventListener('abort', leave, { once: true });
  socket.once('error', reject);
  socket.once('connect', () => {
    socket.setTimeout(0);
    socket.off('error', reject);
    resolve(socket);
  });
  return promise.finally(() => signal?.removeEventListener('abort', leave));
}

/**
 * Connects to a host of the list, at an address that was checked.
 * @param timeoutMs how long each of its addresses may take to answer
 * @param signal aborts when nobody waits for it any more
 * @throws EgressError when it is refused or does not answer; the reason of the signal
 */
export async function connectToHost(
  host: EgressHost,
  resolve: Resolve,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Socket> {
  let last: unknown = null;
  for (const address of (await checkedAddresses(host, resolve)).slice(0, TRIES)) {
    signal?.throwIfAborted();
    try {
      return await connectTo(address, host.port, timeoutMs, signal);
    } catch (error) {
      last = error;
    }
  }
  throw unreachable(host, last, 502);
}
