import type { Socket } from 'node:net';
import { type ClientAddress, clientAddress } from './client-address.ts';
import { tally } from './tally.ts';

/**
 * What is held for clients: bodies that come or are worked on, short requests that are worked on, what was sent ahead of its turn or of
 * its room, and answers that are not taken yet.
 */
export type HeldKind = 'bodies' | 'requests' | 'ahead' | 'answers';

/** Bytes that are held for all clients, and for one address. */
export interface RoomLimits {
  readonly all: number;
  readonly ofOne: number;
}

const MEBIBYTE = 1024 * 1024;
/**
 * Each kind has its part, so that one that is full keeps nobody from the others. Together they are what the network may take on top
 * of itself: a request is read and answered within milliseconds, and others wait for that.
 */
export const ROOM_LIMITS: Readonly<Record<HeldKind, RoomLimits>> = {
  bodies: { all: 24 * MEBIBYTE, ofOne: 8 * MEBIBYTE },
  requests: { all: 12 * MEBIBYTE, ofOne: 6 * MEBIBYTE },
  ahead: { all: 8 * MEBIBYTE, ofOne: 4 * MEBIBYTE },
  answers: { all: 24 * MEBIBYTE, ofOne: 12 * MEBIBYTE },
};
/** Connections of one address and of all; each takes some ten kilobytes. */
const MOST_CONNECTIONS = { all: 8_192, ofOne: 2_048 };
/**
 * What is held for longer than this, in milliseconds, gives way when others need its room, unless as many bytes as below have come in
 * each millisecond of its time: whoever sends or takes slowly holds up nobody.
 */
const GIVES_WAY_MILLIS = 2_000;
const LEAST_BYTES_A_MILLI = 256;

const NO_BYTES: Readonly<Record<HeldKind, number>> = { bodies: 0, requests: 0, ahead: 0, answers: 0 };

/** What an address holds. */
export interface Holder {
  readonly bytes: Record<HeldKind, number>;
  connections: number;
  readonly address: ClientAddress;
}

/** Counts what strangers have the network hold before they have proven anything: bytes and connections, by address. */
export class Room {
  readonly #limits: Readonly<Record<HeldKind, RoomLimits>>;
  readonly #most: RoomLimits;
  readonly #givesWayMillis: number;
  readonly #holders = new Map<ClientAddress, Holder>();
  readonly #bytes = { ...NO_BYTES };
  /** Shares that hold something, the oldest first. */
  readonly #shares: Readonly<Record<HeldKind, Set<Share>>> = {
    bodies: new Set(),
    requests: new Set(),
    ahead: new Set(),
    answers: new Set(),
  };
  #connections = 0;

  constructor(limits = ROOM_LIMITS, most: RoomLimits = MOST_CONNECTIONS, givesWayMillis = GIVES_WAY_MILLIS) {
    this.#limits = limits;
    this.#most = most;
    this.#givesWayMillis = givesWayMillis;
  }

  /** Addresses that hold anything. */
  get holders(): number {
    return this.#holders.size;
  }

  /** Counts a connection; undefined when there are too many. */
  enter(address: ClientAddress): Holder | undefined {
    const holder = this.#holders.get(address) ?? { bytes: { ...NO_BYTES }, connections: 0, address };
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

  /**
   * Holds bytes for a share until `give`, if need be instead of what has been held for long; false, and holds nothing, when
   * there is no room.
   */
  take(share: Share, bytes: number): boolean {
    const { kind, holder } = share;
    while (!this.#hasRoom(kind, holder, bytes)) {
      if (!this.#makeRoom(kind, holder, share)) return false;
    }
    this.#shares[kind].add(share);
    holder.bytes[kind] += bytes;
    this.#bytes[kind] += bytes;
    return true;
  }

  /** All that a share held is free again. */
  give(share: Share, bytes: number): void {
    this.#shares[share.kind].delete(share);
    this.lessen(share, bytes);
    this.#forget(share.holder);
  }

  /** A part of what a share holds is free again. */
  lessen({ kind, holder }: Share, bytes: number): void {
    holder.bytes[kind] -= bytes;
    this.#bytes[kind] -= bytes;
  }

  #hasRoom(kind: HeldKind, { bytes: held }: Holder, bytes: number): boolean {
    const { all, ofOne } = this.#limits[kind];
    return this.#bytes[kind] + bytes <= all && held[kind] + bytes <= ofOne;
  }

  /** Ends the oldest slow share in the way; false when there is none. */
  #makeRoom(kind: HeldKind, holder: Holder, asking: Share): boolean {
    const now = performance.now();
    const latest = now - this.#givesWayMillis;
    const isAddressFull = holder.bytes[kind] * 2 > this.#limits[kind].ofOne;
    for (const share of this.#shares[kind]) {
      if (share.since > latest) return false;
      if (share === asking || (isAddressFull && share.holder !== holder)) continue;
      if (share.moved > (now - share.since) * LEAST_BYTES_A_MILLI) continue;
      share.giveWay();
      return true;
    }
    return false;
  }

  #forget({ connections, bytes, address }: Holder): void {
    if (connections === 0 && Object.values(bytes).every((each) => each === 0)) this.#holders.delete(address);
  }
}

/** What one request, or one connection between its requests, has the network hold. */
export class Share {
  readonly kind: HeldKind;
  readonly holder: Holder;
  readonly #room: Room;
  /** Ends what is held. */
  readonly #drop: () => void;
  #bytes = 0;
  #hasGivenWay = false;
  /** When the first of what is held came. */
  since = 0;
  /** Bytes that have come since. */
  moved = 0;

  constructor(room: Room, { kind, holder, drop }: { kind: HeldKind; holder: Holder; drop: () => void }) {
    this.#room = room;
    this.kind = kind;
    this.holder = holder;
    this.#drop = drop;
  }

  /** Holds more bytes, until `release`; false, and holds no more, when there is no room, or others have got it. */
  hold(bytes: number): boolean {
    if (this.#hasGivenWay) return false;
    if (bytes === 0) return true;
    if (this.#bytes === 0) [this.since, this.moved] = [performance.now(), 0];
    if (!this.#room.take(this, bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Holds this many bytes from now on; false where that is more than before, and there is no room. */
  set(bytes: number): boolean {
    if (bytes > this.#bytes) return this.hold(bytes - this.#bytes);
    const less = this.#bytes - bytes;
    if (bytes === 0) this.release();
    else if (less > 0) {
      this.#bytes = bytes;
      this.#room.lessen(this, less);
    }
    return true;
  }

  release(): void {
    if (this.#bytes === 0) return;
    const bytes = this.#bytes;
    this.#bytes = 0;
    this.#room.give(this, bytes);
  }

  /** Others need the room. */
  giveWay(): void {
    this.#hasGivenWay = true;
    this.release();
    this.#drop();
  }
}

/** A connection that is counted. */
interface Admitted {
  readonly room: Room;
  readonly holder: Holder;
}

const admitted = new WeakMap<Socket, Admitted>();

/** Counts a connection until it closes; one too many is closed at once, and false returned. */
export function admit(socket: Socket, room: Room): boolean {
  const holder = room.enter(clientAddress(socket.remoteAddress));
  if (!holder) {
    tally.turnedAway();
    socket.destroy();
    return false;
  }
  admitted.set(socket, { room, holder });
  socket.once('close', () => room.leave(holder));
  return true;
}

/** A share of the address of a connection; undefined where nothing is counted. `drop` ends what is held when others need its room. */
export function shareOf(socket: Socket, kind: HeldKind, drop: () => void): Share | undefined {
  const found = admitted.get(socket);
  return found && new Share(found.room, { kind, holder: found.holder, drop });
}
