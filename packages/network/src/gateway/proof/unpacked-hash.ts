import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createInflate } from 'node:zlib';
import { type Budget, BudgetError } from '@cannery/ic/budget';
import { VerificationError } from './verification-error.ts';

/** The encodings whose content version 1 of response verification certifies unpacked. */
const UNPACKING = { gzip: createGunzip, deflate: createInflate } as const;

export type Encoding = keyof typeof UNPACKING;

export function isEncoding(name: string | undefined): name is Encoding {
  return name !== undefined && Object.hasOwn(UNPACKING, name);
}

/**
 * The hash of what is packed in `body`. It is hashed piece by piece and nothing of it is kept; each byte that comes out is
 * spent. Throws `VerificationError` for a body that is not of this encoding, and `BudgetError`.
 */
export async function unpackedHash(
  body: Uint8Array,
  encoding: Encoding,
  budget: Budget,
): Promise<Uint8Array> {
  const hash = createHash('sha256');
  try {
    await pipeline([body], UNPACKING[encoding](), async (pieces: AsyncIterable<Uint8Array>) => {
      for await (const piece of pieces) {
        budget.spendBytes(piece.length);
        hash.update(piece);
      }
    });
  } catch (error) {
    if (error instanceof BudgetError) throw error;
    throw new VerificationError(`its body is not valid ${encoding}`);
  }
  return hash.digest();
}
