import {
  BLS12_381,
  G2,
  init,
  IRTF,
  setETHserialization,
  setMapToMode,
  verifyOrderG1,
  verifyOrderG2,
} from 'mcl-wasm';

/** The generator of G2, compressed (draft-irtf-cfrg-pairing-friendly-curves-11, 4.2.1). */
const GENERATOR =
  '93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e' +
  '024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8';

/** Bytes of a compressed point. */
export const G1_BYTES = 48;
export const G2_BYTES = 96;

interface Point {
  deserialize(bytes: Uint8Array): void;
  isZero(): boolean;
}

/**
 * Makes `point` the one that `bytes` stand for. Gives undefined if they are not the encoding of a point of the group, in
 * `length` bytes, and for the point at infinity, which fits every message.
 */
export function readPoint<P extends Point>(point: P, bytes: Uint8Array, length: number): P | undefined {
  if (bytes.length !== length) return undefined;
  try {
    point.deserialize(bytes);
  } catch {
    return undefined;
  }
  return point.isZero() ? undefined : point;
}

/**
 * Makes the one WebAssembly instance of this thread in which the library computes. Not awaited at the top of a module: V8 ends the whole
 * process where a thread is ended while modules that import such a one are evaluated (decision 0117).
 * @returns the generator of G2
 */
export async function openCurve(): Promise<G2> {
  await init(BLS12_381);
  // Points are written as the Internet Computer writes them: big-endian, with flags in the first three bits.
  setETHserialization(true);
  // Elements of the field are mapped to points as RFC 9380 has it.
  setMapToMode(IRTF);
  // What is read is a point of the subgroup, or an error. A pairing does not see what a point outside of it adds.
  verifyOrderG1(true);
  verifyOrderG2(true);
  const generator = new G2();
  generator.deserialize(Buffer.from(GENERATOR, 'hex'));
  return generator;
}
