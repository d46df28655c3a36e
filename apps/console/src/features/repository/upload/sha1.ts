/** Bytes of a block of SHA-1, and words of what a block is spread to (FIPS 180-4, 6.1). */
const BLOCK = 64;
const WORDS = 80;

const turned = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/** The three functions of SHA-1 and its constants, by the quarter of the rounds. */
function round(quarter: number, b: number, c: number, d: number): number {
  if (quarter === 0) return ((b & c) | (~b & d)) + 0x5a827999;
  if (quarter === 1) return (b ^ c ^ d) + 0x6ed9eba1;
  if (quarter === 2) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}

function takeBlock(state: Int32Array, spread: Int32Array, bytes: DataView, at: number): void {
  for (let word = 0; word < 16; word += 1) spread[word] = bytes.getInt32(at + word * 4);
  for (let word = 16; word < WORDS; word += 1) {
    const [far, near] = [spread[word - 16] ?? 0, spread[word - 3] ?? 0];
    spread[word] = turned(near ^ (spread[word - 8] ?? 0) ^ (spread[word - 14] ?? 0) ^ far, 1);
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (let word = 0; word < WORDS; word += 1) {
    const next = (turned(a, 5) + round(Math.floor(word / 20), b, c, d) + e + (spread[word] ?? 0)) | 0;
    [e, d, c, b, a] = [d, c, turned(b, 30), a, next];
  }
  for (const [index, value] of [a, b, c, d, e].entries()) state[index] = (state[index] ?? 0) + value;
}

/**
 * SHA-1 of bytes that lie in several pieces: the names of objects in git. Nothing is protected by it; the browser's own is not there on
 * an address without TLS.
 */
export function sha1(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
  const spread = new Int32Array(WORDS);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  // The end of the last block: a bit, zeros, and the length in bits.
  const end = new Uint8Array(1 + ((BLOCK * 2 - 9 - (length % BLOCK)) % BLOCK) + 8);
  end[0] = 0x80;
  new DataView(end.buffer).setBigUint64(end.length - 8, BigInt(length) * 8n);
  const open = new Uint8Array(BLOCK);
  let filled = 0;
  for (const piece of [...pieces, end]) {
    const view = new DataView(piece.buffer, piece.byteOffset, piece.length);
    let at = 0;
    while (at < piece.length) {
      if (filled === 0 && at + BLOCK <= piece.length) {
        takeBlock(state, spread, view, at);
        at += BLOCK;
        continue;
      }
      const some = piece.subarray(at, at + BLOCK - filled);
      open.set(some, filled);
      filled += some.length;
      at += some.length;
      if (filled < BLOCK) continue;
      takeBlock(state, spread, new DataView(open.buffer), 0);
      filled = 0;
    }
  }
  const digest = new Uint8Array(20);
  for (const [index, word] of state.entries()) new DataView(digest.buffer).setInt32(index * 4, word);
  return digest;
}
