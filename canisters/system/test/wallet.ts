import { IDL } from '@icp-sdk/core/candid';
import type { Principal } from '@icp-sdk/core/principal';

/** A canister of a stranger: it attaches cycles to calls of the cycles ledger, and calls it twice before it hears of either. */
export const WALLET_SOURCE = `
import Error "mo:core/Error";
import Principal "mo:core/Principal";

persistent actor self {
  type Account = { owner : Principal; subaccount : ?Blob };
  type Withdrawn = { #Ok : Nat; #Err : { #InsufficientFunds : { balance : Nat } } };
  type Ledger = actor {
    deposit : { to : Account; memo : ?Blob } -> async { balance : Nat; block_index : Nat };
    withdraw : { amount : Nat; from_subaccount : ?Blob; to : Principal; created_at_time : ?Nat64 } -> async Withdrawn;
  };

  public func deposit(ledger : Principal, to : Account, memo : ?Blob, cycles : Nat) : async { #ok : Nat; #err : Text } {
    let target : Ledger = actor (Principal.toText ledger);
    try {
      let { balance } = await (with cycles) target.deposit({ to; memo });
      #ok balance;
    } catch error { #err(Error.message error) };
  };

  public func withdrawTwice(ledger : Principal, amount : Nat) : async [Bool] {
    let target : Ledger = actor (Principal.toText ledger);
    let args = { amount; from_subaccount = null : ?Blob; to = Principal.fromActor self; created_at_time = null : ?Nat64 };
    let first = target.withdraw args;
    let second = target.withdraw args;
    [isDone(await first), isDone(await second)];
  };

  func isDone(result : Withdrawn) : Bool { switch result { case (#Ok _) true; case (#Err _) false } };
};
`;

const account = IDL.Record({ owner: IDL.Principal, subaccount: IDL.Opt(IDL.Vec(IDL.Nat8)) });

export const walletInterface: IDL.InterfaceFactory = () =>
  IDL.Service({
    deposit: IDL.Func(
      [IDL.Principal, account, IDL.Opt(IDL.Vec(IDL.Nat8)), IDL.Nat],
      [IDL.Variant({ ok: IDL.Nat, err: IDL.Text })],
      [],
    ),
    withdrawTwice: IDL.Func([IDL.Principal, IDL.Nat], [IDL.Vec(IDL.Bool)], []),
  });

export interface Wallet {
  deposit(
    ledger: Principal,
    to: { owner: Principal; subaccount: [] | [Uint8Array] },
    memo: [] | [Uint8Array],
    cycles: bigint,
  ): Promise<{ ok: bigint } | { err: string }>;
  withdrawTwice(ledger: Principal, amount: bigint): Promise<boolean[]>;
}
