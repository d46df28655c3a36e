import { addressOf, Bytes } from './bytes';

export const HASH_SIZE: i32 = 32;
const BLOCK_SIZE: i32 = 64;
/** State, unfinished block, its length and the total length. */
const SUSPENDED_SIZE: i32 = HASH_SIZE + BLOCK_SIZE + 12;

/** Round constants, FIPS 180-4 section 4.2.2. */
const K = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);

const pending = memory.data(64);
const state = memory.data(32, 4);
let pendingLength: i32 = 0;
let totalLength: u64 = 0;

@inline
function sum0(x: u32): u32 {
  return rotr(x, 2) ^ rotr(x, 13) ^ rotr(x, 22);
}
@inline
function sum1(x: u32): u32 {
  return rotr(x, 6) ^ rotr(x, 11) ^ rotr(x, 25);
}
@inline
function sigma0(x: u32): u32 {
  return rotr(x, 7) ^ rotr(x, 18) ^ (x >> 3);
}
@inline
function sigma1(x: u32): u32 {
  return rotr(x, 17) ^ rotr(x, 19) ^ (x >> 10);
}
@inline
function choose(x: u32, y: u32, z: u32): u32 {
  return z ^ (x & (y ^ z));
}
@inline
function majority(x: u32, y: u32, z: u32): u32 {
  return (x & y) | (z & (x | y));
}
@inline
function big(block: usize, index: usize): u32 {
  return bswap(load<u32>(block + (index << 2)));
}
@inline
function add(e: u32, f: u32, g: u32, h: u32, k: usize, w: u32): u32 {
  return h + sum1(e) + choose(e, f, g) + load<u32>(k) + w;
}
@inline
function mix(a: u32, b: u32, c: u32): u32 {
  return sum0(a) + majority(a, b, c);
}

/**
 * Hashes whole blocks. The message schedule is sixteen locals that roll forward, not an array: each store to
 * memory is dear where dirty pages are tracked. Registers are renamed from line to line instead of shifted.
 */
function compress(source: usize, blocks: i32): void {
  let s0 = load<u32>(state, 0), s1 = load<u32>(state, 4), s2 = load<u32>(state, 8), s3 = load<u32>(state, 12);
  let s4 = load<u32>(state, 16), s5 = load<u32>(state, 20), s6 = load<u32>(state, 24), s7 = load<u32>(state, 28);
  for (let block = source, end = source + <usize>blocks * BLOCK_SIZE; block < end; block += BLOCK_SIZE) {
    let w0 = big(block, 0), w1 = big(block, 1), w2 = big(block, 2), w3 = big(block, 3);
    let w4 = big(block, 4), w5 = big(block, 5), w6 = big(block, 6), w7 = big(block, 7);
    let w8 = big(block, 8), w9 = big(block, 9), w10 = big(block, 10), w11 = big(block, 11);
    let w12 = big(block, 12), w13 = big(block, 13), w14 = big(block, 14), w15 = big(block, 15);
    let a = s0, b = s1, c = s2, d = s3, e = s4, f = s5, g = s6, h = s7;
    for (let k: usize = K; ; k += 64) {
      let t: u32;
      t = add(e, f, g, h, k, w0); d += t; h = t + mix(a, b, c);
      t = add(d, e, f, g, k + 4, w1); c += t; g = t + mix(h, a, b);
      t = add(c, d, e, f, k + 8, w2); b += t; f = t + mix(g, h, a);
      t = add(b, c, d, e, k + 12, w3); a += t; e = t + mix(f, g, h);
      t = add(a, b, c, d, k + 16, w4); h += t; d = t + mix(e, f, g);
      t = add(h, a, b, c, k + 20, w5); g += t; c = t + mix(d, e, f);
      t = add(g, h, a, b, k + 24, w6); f += t; b = t + mix(c, d, e);
      t = add(f, g, h, a, k + 28, w7); e += t; a = t + mix(b, c, d);
      t = add(e, f, g, h, k + 32, w8); d += t; h = t + mix(a, b, c);
      t = add(d, e, f, g, k + 36, w9); c += t; g = t + mix(h, a, b);
      t = add(c, d, e, f, k + 40, w10); b += t; f = t + mix(g, h, a);
      t = add(b, c, d, e, k + 44, w11); a += t; e = t + mix(f, g, h);
      t = add(a, b, c, d, k + 48, w12); h += t; d = t + mix(e, f, g);
      t = add(h, a, b, c, k + 52, w13); g += t; c = t + mix(d, e, f);
      t = add(g, h, a, b, k + 56, w14); f += t; b = t + mix(c, d, e);
      t = add(f, g, h, a, k + 60, w15); e += t; a = t + mix(b, c, d);
      if (k === K + 192) break;
      w0 += sigma0(w1) + w9 + sigma1(w14);
      w1 += sigma0(w2) + w10 + sigma1(w15);
      w2 += sigma0(w3) + w11 + sigma1(w0);
      w3 += sigma0(w4) + w12 + sigma1(w1);
      w4 += sigma0(w5) + w13 + sigma1(w2);
      w5 += sigma0(w6) + w14 + sigma1(w3);
      w6 += sigma0(w7) + w15 + sigma1(w4);
      w7 += sigma0(w8) + w0 + sigma1(w5);
      w8 += sigma0(w9) + w1 + sigma1(w6);
      w9 += sigma0(w10) + w2 + sigma1(w7);
      w10 += sigma0(w11) + w3 + sigma1(w8);
      w11 += sigma0(w12) + w4 + sigma1(w9);
      w12 += sigma0(w13) + w5 + sigma1(w10);
      w13 += sigma0(w14) + w6 + sigma1(w11);
      w14 += sigma0(w15) + w7 + sigma1(w12);
      w15 += sigma0(w0) + w8 + sigma1(w13);
    }
    s0 += a; s1 += b; s2 += c; s3 += d; s4 += e; s5 += f; s6 += g; s7 += h;
  }
  store<u32>(state, s0, 0); store<u32>(state, s1, 4); store<u32>(state, s2, 8); store<u32>(state, s3, 12);
  store<u32>(state, s4, 16); store<u32>(state, s5, 20); store<u32>(state, s6, 24); store<u32>(state, s7, 28);
}

/** Starts a hash. There is one hash at a time: `begin`, any number of `update`s, `finish`. */
export function begin(): void {
  store<u32>(state, 0x6a09e667, 0); store<u32>(state, 0xbb67ae85, 4); store<u32>(state, 0x3c6ef372, 8);
  store<u32>(state, 0xa54ff53a, 12); store<u32>(state, 0x510e527f, 16); store<u32>(state, 0x9b05688c, 20);
  store<u32>(state, 0x1f83d9ab, 24); store<u32>(state, 0x5be0cd19, 28);
  pendingLength = 0;
  totalLength = 0;
}

export function update(source: usize, length: i32): void {
  totalLength += length;
  let at = source;
  let left = length;
  if (pendingLength > 0) {
    const taken = min(left, BLOCK_SIZE - pendingLength);
    memory.copy(pending + pendingLength, at, taken);
    pendingLength += taken;
    at += taken;
    left -= taken;
    if (pendingLength < BLOCK_SIZE) return;
    compress(pending, 1);
    pendingLength = 0;
  }
  const blocks = left / BLOCK_SIZE;
  if (blocks > 0) compress(at, blocks);
  const rest = left % BLOCK_SIZE;
  memory.copy(pending, at + (left - rest), rest);
  pendingLength = rest;
}

export function finish(): Bytes {
  store<u8>(pending + pendingLength, 0x80);
  memory.fill(pending + pendingLength + 1, 0, BLOCK_SIZE - pendingLength - 1);
  if (pendingLength >= 56) {
    compress(pending, 1);
    memory.fill(pending, 0, BLOCK_SIZE);
  }
  store<u64>(pending + 56, bswap(totalLength << 3));
  compress(pending, 1);
  const hash = new StaticArray<u8>(HASH_SIZE);
  for (let i = 0; i < HASH_SIZE; i += 4) store<u32>(addressOf(hash) + i, bswap(load<u32>(state + i)));
  return hash;
}

export function sha256(source: usize, length: i32): Bytes {
  begin();
  update(source, length);
  return finish();
}

export function sha256Of(bytes: Bytes): Bytes {
  return sha256(addressOf(bytes), bytes.length);
}

/** The hash that is under way, to go on with in a later message. */
export function suspendHash(): Bytes {
  const saved = new StaticArray<u8>(SUSPENDED_SIZE);
  const to = addressOf(saved);
  memory.copy(to, state, HASH_SIZE);
  memory.copy(to + HASH_SIZE, pending, BLOCK_SIZE);
  store<i32>(to + HASH_SIZE + BLOCK_SIZE, pendingLength);
  store<u64>(to + HASH_SIZE + BLOCK_SIZE + 4, totalLength);
  return saved;
}

/** Goes on with a hash that `suspendHash` gave. */
export function resumeHash(saved: Bytes): void {
  const from = addressOf(saved);
  memory.copy(state, from, HASH_SIZE);
  memory.copy(pending, from + HASH_SIZE, BLOCK_SIZE);
  pendingLength = load<i32>(from + HASH_SIZE + BLOCK_SIZE);
  totalLength = load<u64>(from + HASH_SIZE + BLOCK_SIZE + 4);
}
