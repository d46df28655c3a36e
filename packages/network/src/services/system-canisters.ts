import { Principal } from '@icp-sdk/core/principal';
import { cyclesLedger, icpLedger, type SystemCanister, type SystemCanisterOptions } from '@cannery/system';
import { cyclesMintingCanister } from '@cannery/system/cmc';
import { identityCanister } from '@cannery/system/identity';
import { type ProvisionalPolicy, SYSTEM_PRINCIPAL } from '@cannery/replica/state/provisional';
import type { Service } from './chosen-services.ts';

/** What the network is, as far as its system canisters have to know it. */
export interface SystemContext {
  readonly subnetId: Uint8Array;
  readonly provisional: ProvisionalPolicy;
}

/** A system canister with what the network does about it. */
export interface ServiceCanister {
  readonly service: Service;
  readonly canister: SystemCanister;
  /** Cycles that it gets when it is created, besides those that its accounts hold. */
  readonly cycles: bigint;
}

/**
 * For what a system canister pays itself, where the Internet Computer lets it run for nothing: a million T pay for a call each
 * millisecond for years.
 */
const FOR_ITSELF = 10n ** 18n;
/**
 * The stock that the cycles minting canister gives for ICP: more than a hundred times what all ICP there can be (2^64 e8s) would
 * fetch, at 35,200 cycles for an e8.
 */
const STOCK = 10n ** 26n;
/** What whoever may make cycles from nothing has on the ledgers of a new network: ICP in e8s, and cycles. */
const OPENING_ICP = 10n ** 17n;
const OPENING_CYCLES = 10n ** 24n;

/** The network itself, which governs its system canisters. */
const system = Principal.fromUint8Array(SYSTEM_PRINCIPAL);

/** Every system canister that can be installed. */
export const serviceCanisters: readonly ServiceCanister[] = [
  { service: 'icp-ledger', canister: icpLedger, cycles: FOR_ITSELF },
  { service: 'cycles-ledger', canister: cyclesLedger, cycles: FOR_ITSELF + OPENING_CYCLES },
  { service: 'cmc', canister: cyclesMintingCanister(system), cycles: STOCK },
  { service: 'internet-identity', canister: identityCanister, cycles: FOR_ITSELF },
];

/**
 * What the canisters are told when they are installed. Whoever may make cycles from nothing gets an opening balance on both
 * ledgers: where that is everybody, the anonymous principal, with which everybody can send; where it is nobody, none does.
 */
export function openingOptions({ subnetId, provisional }: SystemContext): SystemCanisterOptions {
  const rich =
    provisional === 'anyone'
      ? [Principal.anonymous()]
      : provisional === 'nobody'
        ? []
        : [Principal.fromUint8Array(provisional)];
  return {
    subnetId: Principal.fromUint8Array(subnetId),
    icpMinter: system,
    icp: rich.map((owner) => ({ owner, amount: OPENING_ICP })),
    cycles: rich.map((owner) => ({ owner, amount: OPENING_CYCLES })),
  };
}
