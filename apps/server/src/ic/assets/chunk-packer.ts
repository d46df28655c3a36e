/** The most content one message carries, bytes: a message has at most 2 MiB, and the call needs some of it. */
export const MAX_MESSAGE_CONTENT = 1_900_000;
/** The most chunks one message carries: its answer names each, and is read on the thread that serves all (read-reply.ts). */
export const MAX_MESSAGE_CHUNKS = 1_000;

interface Piece {
  readonly bytes: Uint8Array;
  readonly place: (id: bigint) => void;
}

type Send = (contents: readonly Uint8Array[]) => Promise<bigint[]>;

/**
 * Sends content in chunks: large bodies cut into several, small ones put together into one message. A few messages
 * are on their way at a time. The ids are known when `finish` resolves.
 */
export class ChunkPacker {
  readonly #send: Send;
  readonly #concurrency: number;
  readonly #underWay = new Set<Promise<void>>();
  #pieces: Piece[] = [];
  #size = 0;

  constructor(send: Send, concurrency: number) {
    this.#send = send;
    this.#concurrency = concurrency;
  }

  /**
   * Adds a body and gives the list that its chunk ids will be in. One body at a time; rejects when an earlier
   * message failed.
   */
  async add(body: Uint8Array): Promise<bigint[]> {
    const ids: bigint[] = [];
    let index = 0;
    for (let from = 0; from < body.length || index === 0; from += MAX_MESSAGE_CONTENT) {
      const bytes = body.subarray(from, from + MAX_MESSAGE_CONTENT);
      const isFull = this.#pieces.length === MAX_MESSAGE_CHUNKS;
      if (isFull || this.#size + bytes.length > MAX_MESSAGE_CONTENT) await this.#flush();
      const at = index++;
      this.#pieces.push({
        bytes,
        place: (id) => {
          ids[at] = id;
        },
      });
      this.#size += bytes.length;
    }
    return ids;
  }

  /** Sends what is left and waits for all messages. */
  async finish(): Promise<void> {
    await this.#flush();
    await Promise.all(this.#underWay);
  }

  /** Waits for the messages that are on their way, sends no more and tells of no failure. */
  async abandon(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  async #flush(): Promise<void> {
    const pieces = this.#pieces;
    if (pieces.length === 0) return;
    this.#pieces = [];
    this.#size = 0;
    while (this.#underWay.size >= this.#concurrency) await Promise.race(this.#underWay);
    const message = this.#deliver(pieces);
    this.#underWay.add(message);
    // A failure stays in the set, where the next wait finds it; this branch only keeps it from going unhandled.
    message.then(
      () => this.#underWay.delete(message),
      () => undefined,
    );
  }

  async #deliver(pieces: readonly Piece[]): Promise<void> {
    const ids = await this.#send(pieces.map((piece) => piece.bytes));
    for (const [index, piece] of pieces.entries()) {
      const id = ids[index];
      if (id === undefined) throw new RangeError('the asset canister gave fewer chunk ids than chunks');
      piece.place(id);
    }
  }
}
