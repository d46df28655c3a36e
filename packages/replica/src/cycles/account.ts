import { type ReplicaError, replicaErrors } from '@cannery/ic/errors';
import type { Canister } from '../state/canister.ts';
import { memoryUsage } from '../state/memory-usage.ts';
import type { CanisterSettings } from '../state/settings.ts';
import type { Fees } from './fees.ts';
import { SECONDS_PER_DAY } from './amount.ts';

/** The bytes a canister pays for: what it uses, or what is set aside for it. */
export function paidBytes(settings: CanisterSettings, usedBytes: number): bigint {
  const used = BigInt(usedBytes);
  return used > settings.memoryAllocation ? used : settings.memoryAllocation;
}

/** `idle_cycles_burned_per_day` of a canister that uses `usedBytes` bytes. */
export function idleCyclesPerDay(fees: Fees, settings: CanisterSettings, usedBytes: number): bigint {
  const { memory, compute } = fees.perDay(paidBytes(settings, usedBytes), settings.computeAllocation);
  return memory + compute;
}

/**
 * What the main balance must not fall below: the freezing limit, which is the idle cost over the freezing threshold,
 * without what the reserved balance covers of it (interface specification, `freezing_limit` and `liquid_balance`).
 */
export function untouchableCycles(
  fees: Fees,
  settings: CanisterSettings,
  usedBytes: number,
  reservedCycles: bigint,
): bigint {
  const limit = (idleCyclesPerDay(fees, settings, usedBytes) * settings.freezingThreshold) / SECONDS_PER_DAY;
  return limit > reservedCycles ? limit - reservedCycles : 0n;
}

/** What a canister may spend; see `untouchableCycles`. */
export class Account {
  readonly fees: Fees;
  /** Instructions a callback may run, which are paid for when its call is sent. */
  readonly callbackLimit: bigint;
  readonly #canister: Canister;
  readonly #reservedCycles: bigint;
  #usedBytes: number | undefined;
  #limit: bigint | undefined;

  /** `reservedCycles`: the reserved balance, where the record is out of date. */
  constructor(
    fees: Fees,
    canister: Canister,
    callbackLimit: bigint,
    reservedCycles = canister.record.reservedCycles,
  ) {
    this.fees = fees;
    this.callbackLimit = callbackLimit;
    this.#canister = canister;
    this.#reservedCycles = reservedCycles;
  }

  /** Memory of the canister before the message at hand, in bytes. */
  get usedBytes(): number {
    this.#usedBytes ??= memoryUsage(this.#canister);
    return this.#usedBytes;
  }

  /** What the main balance must not fall below, in cycles, with `grownBytes` bytes more than now. */
  reserve(grownBytes = 0): bigint {
    const { settings } = this.#canister.record;
    if (grownBytes !== 0) return this.reserveFor(this.usedBytes + grownBytes, settings, this.#reservedCycles);
    this.#limit ??= this.reserveFor(this.usedBytes, settings, this.#reservedCycles);
    return this.#limit;
  }

  /** As `reserve`, with other settings and another reserved balance than the canister has now. */
  reserveFor(usedBytes: number, settings: CanisterSettings, reservedCycles: bigint): bigint {
    return this.fees.free ? 0n : untouchableCycles(this.fees, settings, usedBytes, reservedCycles);
  }

  /** What may be spent of `balance`, at least 0, in cycles. */
  liquid(balance: bigint, grownBytes = 0): bigint {
    const reserve = this.reserve(grownBytes);
    return balance > reserve ? balance - reserve : 0n;
  }

  /** Why `amount` cannot be taken from `balance` (`IC0207`), or nothing. */
  refusal(balance: bigint, amount: bigint): ReplicaError | undefined {
    const missing = this.reserve() + amount - balance;
    return missing > 0n ? replicaErrors.outOfCycles(this.#canister.id, missing) : undefined;
  }

  /** A frozen canister runs no messages and answers no queries. */
  isFrozen(balance: bigint): boolean {
    return balance < this.reserve();
  }
}
