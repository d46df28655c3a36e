import { hex } from '../certification/bytes.ts';
import { domainSeparator } from '../certification/hash.ts';
import { SignatureError, verifySignature } from './public-key.ts';

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

/** Follows a chain that starts at `publicKey`. Throws `SignatureError` when a link does not hold. */
export function followDelegations(
  publicKey: Uint8Array,
  delegations: readonly Delegation[],
  nowNanos: bigint,
): DelegatedKey {
  if (delegations.length > MAX_DELEGATIONS) {
    throw new SignatureError(
      `Chain of delegations is too long: got ${delegations.length} delegations, but at most ${MAX_DELEGATIONS} are allowed`,
    );
  }
  const seen = new Set([hex(publicKey)]);
  let key: DelegatedKey = { publicKey, targets: undefined, queriesOnly: false };
  for (const delegation of delegations) {
    const next = hex(delegation.publicKey);
    if (seen.has(next)) throw new SignatureError('Chain of delegations contains at least one cycle');
    seen.add(next);
    checkExpiry(delegation, nowNanos);
    verifySignature(key.publicKey, Buffer.concat([DELEGATION_DOMAIN, delegation.hash]), delegation.signature);
    key = {
      publicKey: delegation.publicKey,
      targets: narrow(key.targets, delegation.targets),
      queriesOnly: key.queriesOnly || delegation.queriesOnly,
    };
  }
  return key;
}

function checkExpiry({ expiryNanos }: Delegation, nowNanos: bigint): void {
  if (expiryNanos >= nowNanos) return;
  throw new SignatureError(
    `Specified sender delegation has expired: Provided expiry: ${expiryNanos}, Local time: ${nowNanos}`,
  );
}

function narrow(
  current: ReadonlySet<string> | undefined,
  targets: readonly Uint8Array[] | undefined,
): ReadonlySet<string> | undefined {
  if (targets === undefined) return current;
  if (targets.length > MAX_TARGETS) {
    throw new SignatureError(
      `too many delegation targets: ${targets.length}, at most ${MAX_TARGETS} are allowed`,
    );
  }
  const named = new Set(targets.map(hex));
  return current ? current.intersection(named) : named;
}
