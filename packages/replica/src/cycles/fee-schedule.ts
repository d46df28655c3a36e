/** Names of the fee schedules this network knows; the name says where the figures come from. */
export type FeeProfile = 'docs-2026-08' | 'replica-main' | 'free';

/**
 * What things cost on a subnet of `REFERENCE_NODES` nodes, in cycles. Fees are data with a date and a source: the
 * published page and the newest replica disagree, and both will change again.
 */
export interface FeeSchedule {
  readonly profile: FeeProfile;
  /** Where the figures were read, and when. */
  readonly source: string;
  readonly canisterCreation: bigint;
  readonly updateMessage: bigint;
  /** For ten instructions, so that one may cost less than a cycle. */
  readonly tenInstructions: bigint;
  readonly tenInstructionsMemory64: bigint;
  readonly call: bigint;
  readonly callByte: bigint;
  readonly ingress: bigint;
  readonly ingressByte: bigint;
  /** Memory, for each GiB and second. */
  readonly storageGibSecond: bigint;
  /** For each second of a canister that uses any memory. */
  readonly canisterSecond: bigint;
  /** Compute allocation, for each percent and second. */
  readonly computePercentSecond: bigint;
  /** A threshold signature or key derivation by a subnet of `REFERENCE_NODES` nodes. */
  readonly keyUse: bigint;
  /** An HTTP outcall costs (linear + quadratic * n + requestByte * bytes + responseByte * bytes) * n with n nodes. */
  readonly outcallLinear: bigint;
  readonly outcallQuadratic: bigint;
  readonly outcallRequestByte: bigint;
  readonly outcallResponseByte: bigint;
}

/** The number of nodes all figures are for (`DEFAULT_REFERENCE_SUBNET_SIZE` of `rs/config/src/subnet_config.rs`). */
export const REFERENCE_NODES = 13n;

const DOCS: FeeSchedule = {
  profile: 'docs-2026-08',
  source:
    'developer docs, "Cycle costs" (August 2026), equal to dfinity/ic rs/config/src/subnet_config.rs at 002d553',
  canisterCreation: 500_000_000_000n,
  updateMessage: 5_000_000n,
  tenInstructions: 10n,
  tenInstructionsMemory64: 20n,
  call: 260_000n,
  callByte: 1_000n,
  ingress: 1_200_000n,
  ingressByte: 2_000n,
  storageGibSecond: 127_000n,
  canisterSecond: 0n,
  computePercentSecond: 10_000_000n,
  keyUse: 10_000_000_000n,
  outcallLinear: 3_000_000n,
  outcallQuadratic: 60_000n,
  outcallRequestByte: 400n,
  outcallResponseByte: 800n,
};

const REPLICA_MAIN: FeeSchedule = {
  ...DOCS,
  profile: 'replica-main',
  source:
    'dfinity/ic, main branch of 2026, rs/config/src/subnet_config.rs (CyclesAccountManagerConfig::application_subnet)',
  storageGibSecond: 317_500n,
  canisterSecond: 10_000n,
};

const FREE: FeeSchedule = {
  profile: 'free',
  source: 'dfinity/ic rs/config/src/subnet_config.rs (CyclesAccountManagerConfig::zero_cost)',
  canisterCreation: 0n,
  updateMessage: 0n,
  tenInstructions: 0n,
  tenInstructionsMemory64: 0n,
  call: 0n,
  callByte: 0n,
  ingress: 0n,
  ingressByte: 0n,
  storageGibSecond: 0n,
  canisterSecond: 0n,
  computePercentSecond: 0n,
  keyUse: 0n,
  outcallLinear: 0n,
  outcallQuadratic: 0n,
  outcallRequestByte: 0n,
  outcallResponseByte: 0n,
};

export const FEE_SCHEDULES: Readonly<Record<FeeProfile, FeeSchedule>> = {
  'docs-2026-08': DOCS,
  'replica-main': REPLICA_MAIN,
  free: FREE,
};

export const DEFAULT_FEE_PROFILE: FeeProfile = 'docs-2026-08';

/** Whether `name` names a fee schedule. */
export function isFeeProfile(name: string): name is FeeProfile {
  return Object.hasOwn(FEE_SCHEDULES, name);
}
