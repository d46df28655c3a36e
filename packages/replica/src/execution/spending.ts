import { Account } from '../cycles/account.ts';
import { Bill } from '../cycles/bill.ts';
import { reserveForGrowth } from '../cycles/reservation.ts';
import { standingAt } from '../cycles/rent.ts';
import { ReplicaError } from '@cannery/ic/errors';
import type { Canister, CanisterRecord } from '../state/canister.ts';
import type { MessageContext } from '../system-api/message-context.ts';
import type { Environment } from './environment.ts';
import type { LoadedCode } from './run/loaded-code.ts';
import type { Run } from './run/run.ts';

/** What the canister may spend in the message at hand. */
export function accountOf(env: Environment, canister: Canister): Account {
  return new Account(env.fees, canister, env.limits.update);
}

/** The account and the main balance of a canister at `now`, for what reads them without a transaction. */
export function standingAccount(
  env: Environment,
  canister: Canister,
  now: bigint,
): { readonly account: Account; readonly balance: bigint; readonly exhausted: boolean } {
  const { cycles, reservedCycles, exhausted } = standingAt(env.fees, canister, now);
  const account = new Account(env.fees, canister, env.limits.update, reservedCycles);
  return { account, balance: cycles, exhausted: exhausted !== undefined };
}

/** The bill of a message with this instruction limit. */
export function billFor(env: Environment, record: CanisterRecord, limit: bigint): Bill {
  return new Bill(env.fees, limit, record.code?.memory64 ?? false);
}

/** Why the canister cannot pay the bill in advance (`IC0207`), or nothing. */
export function cannotPay(account: Account, { record }: Canister, bill: Bill): ReplicaError | undefined {
  return account.refusal(record.cycles, bill.prepaid);
}

/** A run with the cycles it reserves for memory, which are not yet taken from its balance. */
export interface PaidRun extends Run {
  readonly reserved: bigint;
}

/**
 * Runs canister code as `Runner.run` does, and reserves cycles for the memory it took; the message fails when they do not
 * suffice. Leaves the record as it is; see `settle`.
 */
export function runPaid(
  env: Environment,
  canister: Canister,
  code: LoadedCode,
  context: MessageContext,
  enter: () => void,
): PaidRun {
  const result = env.runner.run(code, context, enter);
  if (result.error || context.entry === 'RQ') return { ...result, reserved: 0n };
  const grown = code.within(context, () => code.grownBytes());
  if (grown <= 0) return { ...result, reserved: 0n };
  const { account } = context;
  try {
    const reserved = reserveForGrowth(account, canister, {
      usedBytes: account.usedBytes,
      newUsedBytes: account.usedBytes + grown,
      subnetBytes: env.memory.totalBytes,
      balance: context.balance,
      keepsFreezingLimit: context.entry === 'U' || context.entry === 'T',
    });
    return { ...result, reserved };
  } catch (error) {
    if (!(error instanceof ReplicaError)) throw error;
    code.rollback();
    return { ...result, error, reserved: 0n };
  }
}
