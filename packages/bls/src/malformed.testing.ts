import { randomBytes } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';

const { G1, G2, fields } = bls12_381;
const { Fp, Fp2, Fr } = fields;
type Element = ReturnType<typeof Fp2.fromBigTuple>;
/** Bits before the first coordinate: compressed, infinity, which of the two points. */
const COMPRESSED = 0x80;
const INFINITY = 0x40;
const GREATER = 0x20;
const FLAGS = COMPRESSED | INFINITY | GREATER;
/** Bytes of a coordinate. */
const FIELD = 48;

type Named = Record<string, Uint8Array>;

/** Encodings in place of `good`, a signature, that are none of a point of G1. */
export function malformedSignatures(good: Uint8Array): Named {
  return {
    ...malformed(good),
    ...offGroup(
      1,
      ([x = 0n]) => Fp.add(Fp.pow(x, 3n), 4n),
      (y) => Fp.sqrt(y),
    ),
    // A pairing does not see what such a point adds.
    ...ofBoth('the good point and one of order 3', [
      G1.Point.fromBytes(good)
        .add(G1.Point.fromAffine({ x: 0n, y: 2n }))
        .toAffine().x,
    ]),
  };
}

/** Encodings in place of `good`, a public key, that are none of a point of G2. */
export function malformedKeys(good: Uint8Array): Named {
  const squareOf = (x: Element): Element => Fp2.add(Fp2.pow(x, 3n), Fp2.fromBigTuple([4n, 4n]));
  const sum = G2.Point.fromBytes(good).add(outsideOfG2(squareOf)).toAffine();
  return {
    ...malformed(good),
    ...offGroup(
      2,
      // An encoding has the imaginary part first.
      ([c1 = 0n, c0 = 0n]) => squareOf(Fp2.fromBigTuple([c0, c1])),
      (y) => Fp2.sqrt(y),
    ),
    ...ofBoth('the good point and one outside of the subgroup', [sum.x.c1, sum.x.c0]),
  };
}

/** A point of the curve of G2 whose order has no factor in common with the order of G2. */
function outsideOfG2(squareOf: (x: Element) => Element): InstanceType<typeof G2.Point> {
  for (let number = 1n; ; number += 1n) {
    const x = Fp2.fromBigTuple([number, 0n]);
    let y: Element;
    try {
      y = Fp2.sqrt(squareOf(x));
    } catch {
      continue;
    }
    const point = G2.Point.fromAffine({ x, y });
    // The order of G2 times a point leaves of it what is not in G2.
    return point.multiplyUnsafe(Fr.ORDER - 1n).add(point);
  }
}

function malformed(good: Uint8Array): Named {
  const length = good.length;
  const flagged = (bits: number, fill = 0): Uint8Array => {
    const bytes = new Uint8Array(length).fill(fill);
    bytes[0] = ((bytes[0] ?? 0) & ~FLAGS) | bits;
    return bytes;
  };
  const withFlags = (bits: number): Uint8Array =>
    good.map((byte, at) => (at === 0 ? (byte & ~FLAGS) | bits : byte));
  const withFirst = (x: bigint): Uint8Array =>
    encode([x, ...Array.from({ length: length / FIELD - 1 }, () => 1n)]);
  const named: Named = {
    nothing: new Uint8Array(),
    'one byte': Uint8Array.of(COMPRESSED),
    'a byte short': good.subarray(0, -1),
    'a byte long': Buffer.concat([good, Buffer.of(0)]),
    'a byte before': Buffer.concat([Buffer.of(0), good]),
    'longer than the stack of the library': Buffer.concat([good, new Uint8Array(2_000_000)]),
    twice: Buffer.concat([good, good]),
    half: good.subarray(0, length / 2),
    zeros: new Uint8Array(length),
    ones: new Uint8Array(length).fill(255),
    infinity: flagged(COMPRESSED | INFINITY),
    'infinity, greater': flagged(FLAGS),
    'infinity, not compressed': flagged(INFINITY),
    'infinity, not compressed, greater': flagged(INFINITY | GREATER),
    'infinity with bits': flagged(COMPRESSED | INFINITY, 1),
    'infinity with the good x': withFlags(COMPRESSED | INFINITY),
    'not compressed': withFlags(0),
    'not compressed, greater': withFlags(GREATER),
    'x = 0': flagged(COMPRESSED),
    'x = 0, greater': flagged(COMPRESSED | GREATER),
    'x = p': withFirst(Fp.ORDER),
    'x = p + 1': withFirst(Fp.ORDER + 1n),
    'x = 2^381 - 1': withFirst(2n ** 381n - 1n),
    backwards: good.toReversed(),
  };
  for (let index = 0; index < 10; index += 1) named[`random ${index}`] = randomBytes(length);
  return named;
}

/** Ten points that are not on the curve, and ten on it that are outside of the subgroup. */
function offGroup<Y>(parts: number, square: (x: bigint[]) => Y, root: (square: Y) => Y): Named {
  const named: Named = {};
  let off = 0;
  let outside = 0;
  while (off < 10 || outside < 10) {
    const x = Array.from({ length: parts }, () => BigInt(`0x${randomBytes(47).toString('hex')}`));
    let isOnCurve = true;
    try {
      root(square(x));
    } catch {
      isOnCurve = false;
    }
    // One point in 2^125 of those on the curve is in the subgroup of G1, fewer still in that of G2.
    if (isOnCurve && outside < 10) named[`outside of the subgroup ${outside++}`] = encode(x);
    if (!isOnCurve && off < 10) named[`off the curve ${off++}`] = encode(x);
  }
  return named;
}

/** Both of the points with an x. */
function ofBoth(name: string, x: readonly bigint[]): Named {
  const bytes = encode(x);
  return { [name]: bytes, [`${name}, greater`]: bytes.map((byte, at) => (at === 0 ? byte | GREATER : byte)) };
}

function encode(coordinates: readonly bigint[]): Uint8Array {
  const bytes = Buffer.concat(
    coordinates.map((each) => Buffer.from(each.toString(16).padStart(FIELD * 2, '0'), 'hex')),
  );
  bytes[0] = (bytes[0] ?? 0) | COMPRESSED;
  return bytes;
}
