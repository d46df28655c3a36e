import { CandidError } from '@cannery/candid/errors';

/** A part of a body; `first` is the place of its first byte in the body. */
export interface Piece {
  readonly first: number;
  readonly bytes: Uint8Array;
}

/** A body that is read in its order, one piece at a time. */
export interface Pieces {
  /**
   * The piece with the byte at `offset`, which is not before that of the last time. The piece before is gone then. Throws what
   * asking for a piece throws, and `CandidError` where there is no such byte.
   */
  at(offset: number): Promise<Piece>;
}

/** The pieces of a body that begins with `start`. Each of them is passed over, whether or not anybody wants it. */
export function piecesOf(start: Uint8Array, rest: AsyncIterable<Uint8Array>): Pieces {
  const iterator = rest[Symbol.asyncIterator]();
  let piece: Piece = { first: 0, bytes: start };
  return {
    async at(offset) {
      while (!has(piece, offset)) {
        const first = piece.first + piece.bytes.length;
        const next = await iterator.next();
        if (next.done) throw new CandidError('its body is shorter than it was');
        piece = { first, bytes: next.value };
      }
      return piece;
    },
  };
}

/** Whether a piece has the byte at `offset` of the body. */
export function has({ first, bytes }: Piece, offset: number): boolean {
  return first <= offset && offset < first + bytes.length;
}
