import { randomInt } from 'node:crypto';
import { spendableTrillions } from '@cannery/contract';
import { Principal } from '@icp-sdk/core/principal';
import {
  decodeAnswer,
  encodeCreate,
  encodeWithdraw,
  type LedgerError,
  type LedgerMethod,
} from './cycles-ledger-idl.ts';
import type { Funding } from '../management/funding.ts';
import type { CallOutcome } from '../replies/call-outcome.ts';
import { cutText } from '../replies/ic-errors.ts';

/** What the ledger takes for each payment, beside its amount (cycles-ledger/src/config.rs, FEE). */
const FEE = 100_000_000n;
/** A creation that has made no canister for this long has failed; it takes seconds. */
const CREATION_MS = 15 * 60_000;
const NANOS_PER_MS = 1_000_000n;
/** A minute: payments of one moment never get that far ahead of it. */
const WRONG_NANOS = 60_000n * NANOS_PER_MS;

/**
 * Cycles out of the console's account in a cycles ledger. A payment costs the account exactly what the user pays: the
 * ledger's fee is part of it, and the canister gets the rest. The ledger knows a payment by its time
 * (`created_at_time`) for a day, so the same payment may be sent again in any number of messages and happens once.
 * @param now the time of the network, in milliseconds
 */
export function ledgerFunding(ledgerId: string, now: () => Promise<number>): Funding {
  const call = (method: LedgerMethod, arg: Uint8Array, ledgerTime: bigint) => ({
    canisterId: ledgerId,
    method,
    arg,
    effectiveCanisterId: ledgerId,
    ledgerTime,
  });
  return {
    async create({ cyclesAmount, environmentVariables }) {
      const createdAt = newPaymentTime(await now());
      const arg = encodeCreate({ amount: afterFee(cyclesAmount), createdAt, environmentVariables });
      return call('create_canister', arg, createdAt);
    },
    async topUp(canisterId, cycles) {
      const createdAt = newPaymentTime(await now());
      const to = Principal.fromText(canisterId);
      return call('withdraw', encodeWithdraw({ amount: afterFee(cycles), to, createdAt }), createdAt);
    },
    createdCanisterId(reply) {
      const { canisterId } = recorded('create_canister', reply);
      if (canisterId === undefined) throw new TypeError('A creation was answered without a canister.');
      return canisterId;
    },
    ledgerNote(kind, reply) {
      // Of a payment that showed in a balance only, nothing else is known.
      if (reply.length === 0) return undefined;
      const { block } = recorded(kind === 'create' ? 'create_canister' : 'withdraw', reply);
      return { ledger_block: block.toString(), ledger_fee: FEE.toString() };
    },
    // The ledger takes no cycles back from users; what a canister has at its deletion is burned.
    givesCyclesBack: false,
  };
}

/** The block of a payment that was carried out, now or by an earlier message, and the canister if it made one. */
function recorded(
  method: LedgerMethod,
  reply: Uint8Array,
): { block: bigint; canisterId: string | undefined } {
  const answer = decodeAnswer(method, reply);
  if (!('error' in answer)) return answer;
  const { Duplicate: duplicate } = answer.error;
  if (duplicate === undefined) throw new TypeError('A refused payment is in no block.');
  return { block: duplicate.duplicate_of, canisterId: duplicate.canister_id?.[0]?.toText() };
}

/** Whether the ledger answered that it had carried the payment out before. */
export function isDuplicate(method: LedgerMethod, reply: Uint8Array): boolean {
  const answer = decodeAnswer(method, reply);
  return 'error' in answer && answer.error.Duplicate !== undefined;
}

function afterFee(cycles: bigint): bigint {
  return cycles > FEE ? cycles - FEE : 0n;
}

let lastTime = 0n;

/**
 * The ledger takes two creations of one amount and time for one, whatever else they ask for: no two payments of this
 * process have the same time, and chance keeps other processes of the same identity apart.
 */
function newPaymentTime(now: number): bigint {
  const time = BigInt(Math.floor(now)) * NANOS_PER_MS + BigInt(randomInt(Number(NANOS_PER_MS)));
  // A last time far ahead is of a network that was made again: the ledger takes no payment of the future.
  const isWrong = lastTime - time > WRONG_NANOS;
  lastTime = time > lastTime || isWrong ? time : lastTime + 1n;
  return lastTime;
}

/** What a payment that the ledger has replied to has come to. @param now the time of the network, in milliseconds */
export function ledgerOutcome(
  method: LedgerMethod,
  reply: Uint8Array,
  ledgerTime: bigint,
  now: number,
): CallOutcome {
  let answer: ReturnType<typeof decodeAnswer>;
  try {
    answer = decodeAnswer(method, reply);
  } catch {
    return { status: 'again', message: 'The cycles ledger gave an answer that could not be read.' };
  }
  if (!('error' in answer)) return { status: 'replied', reply };
  const { error } = answer;
  if (error.Duplicate !== undefined) {
    if (error.Duplicate.canister_id?.length !== 0) return { status: 'replied', reply };
    // The ledger knows the creation but no canister of it: it is under way, or it has failed and was paid back.
    return now < Number(ledgerTime / NANOS_PER_MS) + CREATION_MS
      ? { status: 'again', message: 'The cycles ledger is still creating the canister.' }
      : { status: 'rejected', message: 'The cycles ledger could not create the canister.' };
  }
  if (error.TooOld !== undefined) {
    const message = 'The cycles ledger no longer takes the payment, which is older than a day.';
    return { status: 'expired', message };
  }
  if (error.TemporarilyUnavailable !== undefined)
    return { status: 'again', message: 'The cycles ledger is temporarily unavailable.' };
  // Part of it may be what a canister said.
  return { status: 'rejected', message: cutText(refusal(error, ledgerTime)) };
}

/** Why the ledger refused a payment for good. */
function refusal(error: LedgerError, createdAt: bigint): string {
  if (error.InsufficientFunds !== undefined) {
    const balance = spendableTrillions(error.InsufficientFunds.balance);
    return `The cycles ledger account of this console has only ${balance} left. Tell its operator; your own balance is unchanged.`;
  }
  if (error.CreatedInFuture !== undefined) {
    const seconds = (createdAt - error.CreatedInFuture.ledger_time) / 1_000_000_000n;
    return `The clock of this server is ${seconds} s ahead of the network's. Tell its operator to set the clock.`;
  }
  if (error.FailedToCreate !== undefined)
    return `The canister could not be created: ${error.FailedToCreate.error}`;
  if (error.FailedToWithdraw !== undefined)
    return `The cycles did not reach the canister: ${error.FailedToWithdraw.rejection_reason}`;
  if (error.InvalidReceiver !== undefined)
    return `${error.InvalidReceiver.receiver.toText()} is not a canister.`;
  if (error.BadFee !== undefined)
    return `The cycles ledger takes a fee of ${error.BadFee.expected_fee} cycles, which this console does not expect.`;
  return `The cycles ledger refused: ${error.GenericError?.message ?? 'no reason given'}`;
}
