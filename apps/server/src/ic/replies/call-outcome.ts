import type { Rejection } from './ic-errors.ts';

/**
 * A signed call, ready to be sent. The network recognises it by its request id, so sending it again has no second
 * effect; that is what makes a paid call recoverable after a crash.
 */
export interface SignedCall {
  /** Hex. */
  readonly requestId: string;
  readonly envelope: Uint8Array;
  readonly effectiveCanisterId: string;
  readonly expiresAt: Date;
  /** `created_at_time` of the payment in the cycles ledger, in nanoseconds; null where none pays. */
  readonly ledgerTime: bigint | null;
  /** Whether an earlier message of the same payment may have been carried out, so that only the ledger's word counts. */
  readonly isRepetition: boolean;
}

/** Why something was refused. */
export interface Refusal {
  readonly message: string;
  readonly detail?: string;
  readonly reject?: Rejection;
}

/**
 * What became of a signed call. `pending`: it is under way. `unknown`: the network has no trace of it in its certified state of
 * that moment; with a refusal where it was sent once more and that was refused, which says nothing of an earlier sending. `forgotten`: it was carried out or refused, and the network no longer knows which. Of payments by a
 * cycles ledger only, `again`: the ledger has not decided, and wants the same payment once more (signAgain); `expired`:
 * it no longer takes a payment of that age, and no longer knows whether it once did; `uncertain`: it did, and whether the cycles
 * then reached the canister or came back to the ledger cannot be told.
 */
export type CallOutcome =
  | { readonly status: 'replied'; readonly reply: Uint8Array }
  /** The message is a sentence, the detail the network's whole text with its codes; a refusal at the door has neither. */
  | ({ readonly status: 'rejected' } & Refusal)
  | { readonly status: 'pending' }
  | { readonly status: 'unknown'; readonly asOf: Date; readonly refusal?: Refusal }
  | { readonly status: 'forgotten' }
  | { readonly status: 'again'; readonly message: string }
  | { readonly status: 'expired'; readonly message: string }
  | { readonly status: 'uncertain'; readonly message: string };

/** An outcome after which nothing can happen any more. */
export type FinalOutcome = Extract<CallOutcome, { status: 'replied' | 'rejected' }>;

/**
 * Whether the network has no trace of a call in a state of after its expiry, when no network takes it any more: it will never say anything
 * else. That comes long before the wait is over where the network's time is set ahead.
 */
export function isTooLate(outcome: CallOutcome, { expiresAt }: Pick<SignedCall, 'expiresAt'>): boolean {
  return outcome.status === 'unknown' && outcome.asOf > expiresAt;
}

/** Why a call was refused, be it for good or only when it was sent once more; undefined for one that was not. */
export function refusalIn(outcome: CallOutcome): Refusal | undefined {
  if (outcome.status === 'rejected') return outcome;
  return outcome.status === 'unknown' ? outcome.refusal : undefined;
}
