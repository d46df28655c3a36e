import type { Socket } from 'node:net';
import { type ClientAddress, clientAddress } from './client-address.ts';

/** Bytes of requests and answers that are held for all clients, and for one address. */
export interface RoomLimits {
  readonly all: number;
  readonly ofOne: number;
}

/**
 * Twelve of the longest bodies for one address, and 32 for all: tools send some megabytes at a time, and a request is read
 * and answered within milliseconds.
 */
export const ROOM_LIMITS: RoomLimits = { all: 128 * 1024 * 1024, ofOne: 48 * 1024 * 1024 };
/** Connections of one address and of all; each takes some ten kilobytes. */
export const MOST_CONNECTIONS = { all: 8_192, ofOne: 2_048 };

/** What an address holds. */
export interface Holder {
  bytes: number;
  connections: number;
  readonly address: ClientAddress;
}

/** Counts what strangers have the network hold before they have proven anything: bytes and connections, by address. */
export class Room {
  readonly #limits: RoomLimits;
  readonly #most: RoomLimits;
  readonly #holders = new Map<ClientAddress, Holder>();
  #bytes = 0;
  #connections = 0;

  constructor(limits: RoomLimits = ROOM_LIMITS, most: RoomLimits = MOST_CONNECTIONS) {
    this.#limits = limits;
    this.#most = most;
  }

  /** Addresses that hold anything. */
  get holders(): number {
    return this.#holders.size;
  }

  /** Counts a connection; undefined when there are too many. */
  enter(address: ClientAddress): Holder | undefined {
    const holder = this.#holders.get(address) ?? { bytes: 0, connections: 0, address };
    if (this.#connections >= this.#most.all || holder.connections >= this.#most.ofOne) return undefined;
    this.#holders.set(address, holder);
    holder.connections += 1;
    this.#connections += 1;
    return holder;
  }

  /** The connection is gone. */
  leave(holder: Holder): void {
    holder.connections -= 1;
    this.#connections -= 1;
    this.#forget(holder);
  }

  /** Holds bytes for an address until `give`; false, and holds nothing, when there is no room. */
  take(holder: Holder, bytes: number): boolean {
    if (this.#bytes + bytes > this.#limits.all || holder.bytes + bytes > this.#limits.ofOne) return false;
    holder.bytes += bytes;
    this.#bytes += bytes;
    return true;
  }

  give(holder: Holder, bytes: number): void {
    holder.bytes -= bytes;
    this.#bytes -= bytes;
    this.#forget(holder);
  }

  #forget({ connections, bytes, address }: Holder): void {
    if (connections === 0 && bytes === 0) this.#holders.delete(address);
  }
}

/** What one connection, or one request on it, has the network hold. */
export class Share {
  readonly #room: Room;
  readonly #holder: Holder;
  #bytes = 0;

  constructor(room: Room, holder: Holder) {
    this.#room = room;
    this.#holder = holder;
  }

  /** Holds more bytes, until `release`; false, and holds no more, when there is no room. */
  hold(bytes: number): boolean {
    if (!this.#room.take(this.#holder, bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  release(): void {
    if (this.#bytes === 0) return;
    this.#room.give(this.#holder, this.#bytes);
    this.#bytes = 0;
  }

  /** What another request of the same address holds. */
  another(): Share {
    return new Share(this.#room, this.#holder);
  }
}

const shares = new WeakMap<Socket, Share>();

/** Counts a connection until it closes; one too many is closed at once, and false returned. */
export function admit(socket: Socket, room: Room): boolean {
  const holder = room.enter(clientAddress(socket.remoteAddress));
  if (!holder) {
    socket.destroy();
    return false;
  }
  shares.set(socket, new Share(room, holder));
  socket.once('close', () => room.leave(holder));
  return true;
}

/** What a connection holds; undefined where nothing is counted. */
export function shareOf(socket: Socket): Share | undefined {
  return shares.get(socket);
}
