import { hex } from '@cannery/ic/certification/bytes';
import { domainSeparator } from '@cannery/ic/certification/signatures/hash';
import { Proven } from '@cannery/ic/certification/signatures/proven';
import type { CertificateJudge } from './canister-signature.ts';
import { utc } from './expiry.ts';
import { verifySignature } from './public-key.ts';
import { badRequest, RequestError } from '../transport/request-error.ts';
import { SignatureError } from './key-limits.ts';

/** One link of a delegation chain. */
export interface Delegation {
  readonly publicKey: Uint8Array;
  /** Unix time in nanoseconds. */
  readonly expiryNanos: bigint;
  /** The canisters it is limited to; absent means all. */
  readonly targets: readonly Uint8Array[] | undefined;
  /** It allows queries and state reads, but no update calls. */
  readonly queriesOnly: boolean;
  /** Representation-independent hash of the delegation, over which `signature` was made. */
  readonly hash: Uint8Array;
  readonly signature: Uint8Array;
}

/** What a chain of delegations leaves a session key with. */
export interface DelegatedKey {
  readonly publicKey: Uint8Array;
  /** Hex ids of the canisters it may call; absent means all. */
  readonly targets: ReadonlySet<string> | undefined;
  readonly queriesOnly: boolean;
}

/** Limits of the interface specification ("Authentication"). */
const MAX_DELEGATIONS = 20;
const MAX_TARGETS = 1000;
const DELEGATION_DOMAIN = domainSeparator('ic-request-auth-delegation');

/** Delegations whose signature was checked: a session sends the same ones with every request. */
const verified = new Proven<true>(1000);

/**
 * Follows a chain that starts at `publicKey`. Throws `RequestError` 400 when a link does not hold, in the words and the
 * order of the replica (dfinity/ic, `rs/validator/src/ingress_validation.rs`).
 */
export async function followDelegations(
  publicKey: Uint8Array,
  delegations: readonly Delegation[],
  nowNanos: bigint,
  judge: CertificateJudge,
): Promise<DelegatedKey> {
  checkChain(publicKey, delegations, nowNanos);
  let key: DelegatedKey = { publicKey, targets: undefined, queriesOnly: false };
  for (const delegation of delegations) {
    try {
      await verifyOnce(key.publicKey, delegation, judge);
    } catch (error) {
      throw error instanceof SignatureError ? invalid(error.message) : error;
    }
    key = {
      publicKey: delegation.publicKey,
      targets: narrow(key.targets, delegation.targets),
      queriesOnly: key.queriesOnly || delegation.queriesOnly,
    };
  }
  return key;
}

/** All that needs no signature: length, expiry, cycles and number of targets. */
function checkChain(publicKey: Uint8Array, delegations: readonly Delegation[], nowNanos: bigint): void {
  if (delegations.length > MAX_DELEGATIONS) {
    throw invalid(
      `Chain of delegations is too long: got ${delegations.length} delegations, but at most ${MAX_DELEGATIONS} are allowed.`,
    );
  }
  for (const { expiryNanos } of delegations) {
    if (expiryNanos >= nowNanos) continue;
    throw badRequest(
      'Invalid delegation expiry: Specified sender delegation has expired:\n' +
        `Provided expiry:    ${utc(expiryNanos)}\nLocal replica time: ${utc(nowNanos)}`,
    );
  }
  const seen = new Set([hex(publicKey)]);
  for (const delegation of delegations) {
    const next = hex(delegation.publicKey);
    if (seen.has(next)) {
      throw invalid(
        `Chain of delegations contains at least one cycle: first repeating public key encountered ${next}`,
      );
    }
    seen.add(next);
  }
  for (const { targets } of delegations) {
    if (targets === undefined || targets.length <= MAX_TARGETS) continue;
    throw invalid(
      `Delegation target error: expected at most ${MAX_TARGETS} targets per delegation, but got ${targets.length}`,
    );
  }
}

async function verifyOnce(
  signer: Uint8Array,
  delegation: Delegation,
  judge: CertificateJudge,
): Promise<void> {
  const { hash, signature } = delegation;
  const name = Proven.nameOf(signer, hash, signature);
  if (verified.get(name)) return;
  await verifySignature(signer, Buffer.concat([DELEGATION_DOMAIN, hash]), signature, judge);
  verified.add(name, true);
}

function narrow(
  current: ReadonlySet<string> | undefined,
  targets: readonly Uint8Array[] | undefined,
): ReadonlySet<string> | undefined {
  if (targets === undefined) return current;
  const named = new Set(targets.map(hex));
  return current ? current.intersection(named) : named;
}

function invalid(reason: string): RequestError {
  return badRequest(`Invalid delegation: ${reason}`);
}
