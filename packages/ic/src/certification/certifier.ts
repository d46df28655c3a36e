import { utf8 } from './bytes.ts';
import { encodeCbor, treeToCbor } from './tree/cbor.ts';
import { hashOf } from './tree/hash-tree.ts';
import type { RootSigner } from './signatures/signer.ts';
import type { StateTree } from './tree/state-tree.ts';
import type { Directory } from './tree/tree-directory.ts';
import { witness } from './tree/witness.ts';

/** One signed state of the network; any number of certificates can be cut from it. */
export interface SignedState {
  readonly version: number;
  readonly timeNanos: bigint;
  readonly root: Directory;
  readonly rootHash: Uint8Array;
  readonly signature: Uint8Array;
}

/** A signature older than this is renewed, so that certificates always carry a recent time. */
const MAX_AGE_NANOS = 1_000_000_000n;
/**
 * Signatures remembered for `isIssued`, at most 8 MB. One takes at least 0.7 ms to make, so they reach back for more than
 * half a minute; queries are handed certificates that are younger than that.
 */
const MAX_REMEMBERED = 60_000;
/** A signature is a compressed point of G1, whose first bit says so. */
const SIGNATURE_BYTES = 48;
const COMPRESSED = 0x80;
const TIME_PATH = [utf8('time')];

/**
 * Signs the state only when somebody needs a certificate and the last signature no longer fits. Requests that
 * come while a signature is being made share the next one, so signing limits latency but not throughput.
 */
export class Certifier {
  readonly #state: StateTree;
  readonly #signer: RootSigner;
  readonly #now: () => bigint;
  #latest: SignedState | undefined;
  #running: Promise<SignedState> | undefined;
  #runningVersion = -1;
  #next: Promise<SignedState> | undefined;
  #lastTime = 0n;
  #rounds = 0;
  readonly #issued = new Set<string>();

  /** `now` is the network's Unix time in nanoseconds. */
  constructor(state: StateTree, signer: RootSigner, now: () => bigint) {
    this.#state = state;
    this.#signer = signer;
    this.#now = now;
  }

  /** States that were signed since the start. */
  get rounds(): number {
    return this.#rounds;
  }

  /** A certificate (self-described CBOR) that shows `/time` and everything under `paths`. */
  async certificate(paths: readonly (readonly Uint8Array[])[]): Promise<Uint8Array> {
    return certificateFrom(await this.signedState(), paths);
  }

  /** A signed state that includes everything applied before this call. */
  signedState(): Promise<SignedState> {
    const { version } = this.#state;
    const latest = this.#latest;
    if (latest?.version === version && this.#now() - latest.timeNanos < MAX_AGE_NANOS) {
      return Promise.resolve(latest);
    }
    if (this.#running && this.#runningVersion === version) return this.#running;
    this.#next ??= this.#signAfterRunning();
    return this.#next;
  }

  /** Whether this network recently made `signature` over the state with `rootHash`. */
  isIssued(signature: Uint8Array, rootHash: Uint8Array): boolean {
    return this.#issued.has(nameOf(signature, rootHash));
  }

  /**
   * Whether this network ever made `signature` over the state with `rootHash`; slow for those not remembered. Rejects with
   * `CheckerBusyError` when too many questions of `asker`, or of all, wait.
   */
  async wasIssued(signature: Uint8Array, rootHash: Uint8Array, asker: string): Promise<boolean> {
    if (this.isIssued(signature, rootHash)) return true;
    const [first = 0] = signature;
    if (signature.length !== SIGNATURE_BYTES || first < COMPRESSED) return false;
    const isGood = await this.#signer.verify(rootHash, signature, asker);
    if (isGood) this.#remember(signature, rootHash);
    return isGood;
  }

  async #signAfterRunning(): Promise<SignedState> {
    await this.#running?.catch(() => undefined);
    this.#next = undefined;
    this.#runningVersion = this.#state.version;
    this.#running = this.#sign().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #sign(): Promise<SignedState> {
    const { version } = this.#state;
    const now = this.#now();
    const timeNanos = now > this.#lastTime ? now : this.#lastTime + 1n;
    this.#lastTime = timeNanos;
    const root = this.#state.rootAt(timeNanos);
    const rootHash = hashOf(root);
    const signature = await this.#signer.sign(rootHash);
    this.#latest = { version, timeNanos, root, rootHash, signature };
    this.#rounds += 1;
    this.#remember(signature, rootHash);
    return this.#latest;
  }

  #remember(signature: Uint8Array, rootHash: Uint8Array): void {
    this.#issued.add(nameOf(signature, rootHash));
    const oldest = this.#issued.values().next().value;
    if (this.#issued.size > MAX_REMEMBERED && oldest !== undefined) this.#issued.delete(oldest);
  }
}

/** Cuts a certificate for `paths` out of a signed state. */
export function certificateFrom(signed: SignedState, paths: readonly (readonly Uint8Array[])[]): Uint8Array {
  const tree = treeToCbor(witness(signed.root, [TIME_PATH, ...paths]));
  return encodeCbor({ tree, signature: signed.signature });
}

/** A short text for a pair of a signature and a hash of 32 bytes. */
function nameOf(signature: Uint8Array, rootHash: Uint8Array): string {
  return Buffer.concat([signature, rootHash]).toString('latin1');
}
