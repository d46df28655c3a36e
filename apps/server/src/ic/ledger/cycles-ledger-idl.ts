import { IDL } from '@icp-sdk/core/candid';
import type { Principal } from '@icp-sdk/core/principal';
import { readSmall } from '../replies/read-reply.ts';

/**
 * The part of the cycles ledger's interface that the server uses: `cycles-ledger/cycles-ledger.did` of
 * dfinity/cycles-ledger at 2703d363 (2026-08-18). Of arguments only the fields that are sent are listed.
 */

const { Nat, Nat64, Null, Opt, Principal: PrincipalType, Record, Text, Variant } = IDL;

const variables = IDL.Vec(Record({ name: Text, value: Text }));
const settings = Record({ environment_variables: Opt(variables) });

const createArgs = Record({
  amount: Nat,
  created_at_time: Opt(Nat64),
  creation_args: Opt(Record({ settings: Opt(settings) })),
});
const withdrawArgs = Record({ amount: Nat, to: PrincipalType, created_at_time: Opt(Nat64) });
const account = Record({ owner: PrincipalType });

const commonErrors = {
  InsufficientFunds: Record({ balance: Nat }),
  TooOld: Null,
  CreatedInFuture: Record({ ledger_time: Nat64 }),
  TemporarilyUnavailable: Null,
  GenericError: Record({ message: Text, error_code: Nat }),
};
const createReply = Variant({
  Ok: Record({ block_id: Nat, canister_id: PrincipalType }),
  Err: Variant({
    ...commonErrors,
    Duplicate: Record({ duplicate_of: Nat, canister_id: Opt(PrincipalType) }),
    FailedToCreate: Record({ error: Text }),
  }),
});
const withdrawReply = Variant({
  Ok: Nat,
  Err: Variant({
    ...commonErrors,
    Duplicate: Record({ duplicate_of: Nat }),
    FailedToWithdraw: Record({ rejection_reason: Text }),
    BadFee: Record({ expected_fee: Nat }),
    InvalidReceiver: Record({ receiver: PrincipalType }),
  }),
});

/** What an error of the ledger is, by its name; exactly one is present. */
export interface LedgerError {
  readonly InsufficientFunds?: { readonly balance: bigint };
  readonly TooOld?: null;
  readonly CreatedInFuture?: { readonly ledger_time: bigint };
  readonly TemporarilyUnavailable?: null;
  readonly GenericError?: { readonly message: string; readonly error_code: bigint };
  readonly Duplicate?: { readonly duplicate_of: bigint; readonly canister_id?: [] | [Principal] };
  readonly FailedToCreate?: { readonly error: string };
  readonly FailedToWithdraw?: { readonly rejection_reason: string };
  readonly BadFee?: { readonly expected_fee: bigint };
  readonly InvalidReceiver?: { readonly receiver: Principal };
}

/** An answer of the ledger to a payment. */
export type LedgerAnswer =
  /** `canisterId` only of a creation. */
  { readonly block: bigint; readonly canisterId: string | undefined } | { readonly error: LedgerError };

export type LedgerMethod = 'create_canister' | 'withdraw';

export function encodeCreate(value: {
  amount: bigint;
  createdAt: bigint;
  environmentVariables: readonly { readonly name: string; readonly value: string }[];
}): Uint8Array {
  const { amount, createdAt, environmentVariables } = value;
  const creation =
    environmentVariables.length === 0
      ? []
      : [{ settings: [{ environment_variables: [environmentVariables] }] }];
  return IDL.encode([createArgs], [{ amount, created_at_time: [createdAt], creation_args: creation }]);
}

export function encodeWithdraw(value: { amount: bigint; to: Principal; createdAt: bigint }): Uint8Array {
  const { amount, to, createdAt } = value;
  return IDL.encode([withdrawArgs], [{ amount, to, created_at_time: [createdAt] }]);
}

/** Whom the argument of a withdrawal names. */
export function receiverOf(arg: Uint8Array): Principal {
  return readSmall<{ to: Principal }>(withdrawArgs, arg).to;
}

export function encodeBalanceOf(owner: Principal): Uint8Array {
  return IDL.encode([account], [{ owner }]);
}

export function decodeBalance(reply: Uint8Array): bigint {
  return readSmall<bigint>(Nat, reply);
}

/** @throws CandidError when the reply is of no known shape */
export function decodeAnswer(method: LedgerMethod, reply: Uint8Array): LedgerAnswer {
  if (method === 'withdraw') {
    const answer = readSmall<{ Ok: bigint } | { Err: LedgerError }>(withdrawReply, reply);
    return 'Ok' in answer ? { block: answer.Ok, canisterId: undefined } : { error: answer.Err };
  }
  const answer = readSmall<{ Ok: { block_id: bigint; canister_id: Principal } } | { Err: LedgerError }>(
    createReply,
    reply,
  );
  return 'Ok' in answer
    ? { block: answer.Ok.block_id, canisterId: answer.Ok.canister_id.toText() }
    : { error: answer.Err };
}
