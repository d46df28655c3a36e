import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { AppError } from '../errors.ts';
import type { Reader, Tx } from './tx.ts';

/** How long room stays reserved when the process that reserved it dies, in seconds; storing the largest upload takes less. */
const RESERVED_SECONDS = 15 * 60;

/** What one user may have, and how much of that is to come on top: entries or bytes, as the quota counts. */
export interface Share {
  readonly userId: string;
  readonly limit: number;
  /** A function is asked while nobody else adds to the user's share. */
  readonly adds: number | ((tx: Tx) => Promise<number>);
}

/** Room that is kept for something that takes a while to be written. Ends with the writing, else when it is disposed of. */
export interface Reservation extends AsyncDisposable {
  readonly id: string;
}

type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/**
 * Lets what is counted of a user be changed by one transaction at a time, of whatever server on this database: whoever comes
 * second waits here and then sees what the first has written.
 */
export async function lockShares(tx: Tx, userId: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}

/**
 * A limit on what each user may have of something. What is there is counted in the transaction that adds to it, behind a lock of the
 * user, so that of many requests side by side only as many pass as there is room for. A store keeps its quota and the bare
 * insertion to itself and exports the function that does both: nobody can read a count and act on it later.
 */
export class Quota {
  readonly #name: string;
  readonly #used: (userId: string) => RawBuilder<number>;
  readonly #refusal: (limit: number) => AppError;

  /**
   * @param options.name by which reservations are told apart
   * @param options.used an expression that counts what a user has
   * @param options.refusal what is thrown when there is no room
   */
  constructor(options: {
    name: string;
    used: (userId: string) => RawBuilder<number>;
    refusal: (limit: number) => AppError;
  }) {
    this.#name = options.name;
    this.#used = options.used;
    this.#refusal = options.refusal;
  }

  /**
   * Writes something that counts.
   * @param reservation the room that was kept for it, which is used up
   * @throws AppError the refusal, before anything is written; what `write` throws
   */
  async add<T>(
    tx: Tx,
    share: Share & { readonly reservation?: Reservation },
    write: () => Promise<T>,
  ): Promise<T> {
    await lockShares(tx, share.userId);
    const { reservation } = share;
    if (reservation !== undefined) await giveUp(tx, reservation.id);
    await this.#needRoom(tx, share);
    return write();
  }

  /**
   * Writes something of which only the database knows how much it adds, or takes away.
   * @throws AppError the refusal, by which the transaction must end; what `write` throws
   */
  async within<T>(tx: Tx, share: Omit<Share, 'adds'>, write: () => Promise<T>): Promise<T> {
    const { userId, limit } = share;
    await lockShares(tx, userId);
    const before = await this.#taken(tx, userId);
    const written = await write();
    const after = await this.#taken(tx, userId);
    if (after > before && after > limit) throw this.#refusal(limit);
    return written;
  }

  /**
   * Keeps room for something before the work that leads to it begins.
   * @throws AppError the refusal
   */
  async reserve(transact: Transact, share: Share): Promise<Reservation> {
    const id = randomUUID();
    await transact(async (tx) => {
      await lockShares(tx, share.userId);
      await tx
        .deleteFrom('reservations')
        .where('user_id', '=', share.userId)
        .where('expires_at', '<=', sql<Date>`now()`)
        .execute();
      const amount = await this.#needRoom(tx, share);
      if (amount === 0) return;
      const expires_at = sql<Date>`now() + make_interval(secs => ${RESERVED_SECONDS})`;
      await tx
        .insertInto('reservations')
        .values({ id, user_id: share.userId, quota: this.#name, amount, expires_at })
        .execute();
    });
    return { id, [Symbol.asyncDispose]: () => transact((tx) => giveUp(tx, id)) };
  }

  /**
   * Passes bytes on as they come, up to what the user has room for by now, so that what cannot be kept is not taken in. That
   * keeps no room.
   * @throws AppError the refusal, from the stream
   */
  async *cut(
    db: Reader,
    { userId, limit }: Omit<Share, 'adds'>,
    content: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    let size = await this.#taken(db, userId);
    for await (const chunk of content) {
      size += chunk.length;
      if (size > limit) throw this.#refusal(limit);
      yield chunk;
    }
  }

  /** @returns what is added */
  async #needRoom(tx: Tx, { userId, limit, adds }: Share): Promise<number> {
    const more = typeof adds === 'number' ? adds : await adds(tx);
    // What changes nothing passes also where there is more than is allowed now.
    if (more > 0 && (await this.#taken(tx, userId)) + more > limit) throw this.#refusal(limit);
    return more;
  }

  /** What the user has, and what is reserved. */
  async #taken(db: Reader, userId: string): Promise<number> {
    const reserved = sql`select sum(amount) from reservations
      where user_id = ${userId} and quota = ${this.#name} and expires_at > now()`;
    const { rows } = await sql<{ taken: string }>`
      select (${this.#used(userId)} + coalesce((${reserved}), 0))::text as taken`.execute(db);
    return Number(rows[0]?.taken);
  }
}

async function giveUp(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('reservations').where('id', '=', id).execute();
}
