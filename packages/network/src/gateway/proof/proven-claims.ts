import { utf8 } from '@cannery/ic/certification/bytes';
import { sha256 } from '@cannery/ic/certification/signatures/hash';
import type { Asked, Claim } from './claim.ts';

/** Kept at most, some 500 bytes each: 2 MB. */
const MOST = 4_096;

/**
 * Claims that were found good, so that the same file need not be verified for each visitor: a canister answers in the same
 * bytes for as long as its certificate is reused. Each is named by a hash of all that it was made of, and is kept after it
 * has held only. Age and issue of its certificate are checked each time.
 */
export class ProvenClaims {
  readonly #claims = new Map<string, Claim>();

  /** The name of the claim in a reply of `asked.canisterId` to a request of this path. */
  nameOf({ canisterId, url }: Asked, reply: Uint8Array): string {
    const path = utf8(url.split('?', 1)[0] ?? '');
    return Buffer.from(sha256(sha256(canisterId), sha256(path), reply)).toString('latin1');
  }

  get(name: string): Claim | undefined {
    return this.#claims.get(name);
  }

  /** Keeps a claim that has held, if it holds for all requests of its path. */
  keep(name: string, claim: Claim): void {
    if (!claim.isOfPath || this.#claims.has(name)) return;
    const oldest = this.#claims.keys().next().value;
    if (this.#claims.size >= MOST && oldest !== undefined) this.#claims.delete(oldest);
    // Copies: what was decoded may be part of a larger buffer.
    const [signature, stateRootHash] = [new Uint8Array(claim.signature), new Uint8Array(claim.stateRootHash)];
    this.#claims.set(name, { ...claim, signature, stateRootHash });
  }
}
