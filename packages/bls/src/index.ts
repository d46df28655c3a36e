import { openCurve } from './curve.ts';
import { checkerOf, type IsGoodSignature } from './good-signature.ts';
import { SigningKey } from './signing-key.ts';

/** The signatures of the Internet Computer's certificates, ready to be made and checked in this thread. */
export interface Bls {
  readonly isGoodSignature: IsGoodSignature;
  /** @throws RangeError for what is no secret key: 32 bytes, big-endian, of a number between 0 and the order of the group */
  signingKey(secret: Uint8Array): SigningKey;
}

let opening: Promise<Bls> | undefined;

/** Opens the library, once for each thread; nothing of it can be had before. */
export function openBls(): Promise<Bls> {
  return (opening ??= openCurve().then((generator) => ({
    isGoodSignature: checkerOf(generator),
    signingKey: (secret) => new SigningKey(secret, generator),
  })));
}
