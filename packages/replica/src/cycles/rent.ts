import type { Canister, EditableRecord } from '../state/canister.ts';
import { memoryUsage } from '../state/memory-usage.ts';
import { paidBytes } from './account.ts';
import type { Fees } from './fees.ts';
import { SECONDS_PER_DAY } from './amount.ts';

/** How often a canister pays for memory and compute (`duration_between_allocation_charges` of dfinity/ic). */
export const RENT_PERIOD_NANOS = 10_000_000_000n;
const PERIOD_SECONDS = 10n;

/** What a canister pays each period, in cycles. */
interface Rent {
  readonly memory: bigint;
  readonly compute: bigint;
}

/** The balances of a canister at some time, and what its rent took since they were written down last. */
export interface Standing {
  readonly cycles: bigint;
  readonly reservedCycles: bigint;
  /** End of the last period that is paid for. */
  readonly paidUntilNanos: bigint;
  readonly memory: bigint;
  readonly compute: bigint;
  /** The canister could not pay: its last cycles, this many, are gone and so is its code. */
  readonly exhausted: { readonly rest: bigint } | undefined;
}

function rentOf(fees: Fees, canister: Canister): Rent {
  const { settings } = canister.record;
  const bytes = paidBytes(settings, memoryUsage(canister));
  const { memory, compute } = fees.perDay(bytes, settings.computeAllocation);
  // Each resource is charged, and rounded down, on its own (`charge_canister_for_single_resource`).
  return {
    memory: (memory * PERIOD_SECONDS) / SECONDS_PER_DAY,
    compute: (compute * PERIOD_SECONDS) / SECONDS_PER_DAY,
  };
}

/**
 * The canister's balances at `now`. Rent is due at the end of every period of 10 seconds since the canister was
 * created, for the memory it holds then; because nothing changes between two messages, all periods since the last one
 * are worked out at once, exactly as if each had been charged when it ended. The reserved balance pays first.
 */
export function standingAt(fees: Fees, canister: Canister, now: bigint): Standing {
  const { cycles, reservedCycles, paidUntilNanos } = canister.record;
  const periods = now > paidUntilNanos ? (now - paidUntilNanos) / RENT_PERIOD_NANOS : 0n;
  const unchanged = { cycles, reservedCycles, memory: 0n, compute: 0n, exhausted: undefined };
  if (periods === 0n) return { ...unchanged, paidUntilNanos };
  const paid = paidUntilNanos + periods * RENT_PERIOD_NANOS;
  const rent = rentOf(fees, canister);
  const each = rent.memory + rent.compute;
  if (each === 0n) return { ...unchanged, paidUntilNanos: paid };
  const funds = cycles + reservedCycles;
  if (each * periods <= funds) {
    const due = each * periods;
    const fromReserve = due < reservedCycles ? due : reservedCycles;
    return {
      cycles: cycles - (due - fromReserve),
      reservedCycles: reservedCycles - fromReserve,
      paidUntilNanos: paid,
      memory: rent.memory * periods,
      compute: rent.compute * periods,
      exhausted: undefined,
    };
  }
  const full = funds / each;
  const last = funds - full * each;
  // In the period that cannot be paid whole, memory is charged before compute.
  const lastMemory = last >= rent.memory ? rent.memory : 0n;
  return {
    cycles: 0n,
    reservedCycles: 0n,
    paidUntilNanos: paid,
    memory: rent.memory * full + lastMemory,
    compute: rent.compute * full,
    exhausted: { rest: last - lastMemory },
  };
}

/** When the canister will be unable to pay if nothing happens until then, or never. */
export function exhaustionTime(fees: Fees, canister: Canister): bigint | undefined {
  const rent = rentOf(fees, canister);
  const each = rent.memory + rent.compute;
  if (each === 0n) return undefined;
  const { cycles, reservedCycles, paidUntilNanos } = canister.record;
  return paidUntilNanos + ((cycles + reservedCycles) / each + 1n) * RENT_PERIOD_NANOS;
}

/** Writes the balances at `now` into the canister's record; returns whether the canister ran out of cycles. */
export function payRent(fees: Fees, canister: Canister, record: EditableRecord, now: bigint): boolean {
  const standing = standingAt(fees, canister, now);
  record.cycles = standing.cycles;
  record.reservedCycles = standing.reservedCycles;
  record.paidUntilNanos = standing.paidUntilNanos;
  record.consumed.memory += standing.memory;
  record.consumed.computeAllocation += standing.compute;
  record.consumed.uninstall += standing.exhausted?.rest ?? 0n;
  return standing.exhausted !== undefined;
}
