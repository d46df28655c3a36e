import { finalExp, G1, G2, neg, precomputedMillerLoop2mixed, PrecomputedG2 } from 'mcl-wasm';
import { G1_BYTES, G2_BYTES, readPoint } from './curve.ts';
import { hashToG1 } from './hash-to-g1.ts';

/** A network has one root key, mainnet some dozens of keys of subnets; to read one costs a fifth of a check. */
const KEPT_KEYS = 64;
const keys = new Map<string, G2>();

/** Says whether a signature of a message fits a key. */
export type IsGoodSignature = (key: Uint8Array, signature: Uint8Array, message: Uint8Array) => boolean;

/**
 * Prepares checks of BLS12-381 signatures in G1 (48 bytes, compressed) with public keys in G2 (96 bytes, compressed). A signature is not good
 * either where it, or the key, is no point of its group. A check takes 5 to 8 ms of pure computation.
 */
export function checkerOf(generator: G2): IsGoodSignature {
  // What the generator contributes to every check; lives as long as the thread.
  const prepared = new PrecomputedG2(generator);
  return (key, signature, message) => {
    const publicKey = keyOf(key);
    const point = readPoint(new G1(), signature, G1_BYTES);
    if (publicKey === undefined || point === undefined) return false;
    const product = precomputedMillerLoop2mixed(hashToG1(message), publicKey, neg(point), prepared);
    return finalExp(product).isOne();
  };
}

function keyOf(bytes: Uint8Array): G2 | undefined {
  const name = Buffer.from(bytes).toString('latin1');
  const known = keys.get(name);
  if (known !== undefined) return known;
  const key = readPoint(new G2(), bytes, G2_BYTES);
  if (key === undefined) return undefined;
  const [oldest] = keys.keys();
  if (keys.size >= KEPT_KEYS && oldest !== undefined) keys.delete(oldest);
  keys.set(name, key);
  return key;
}
