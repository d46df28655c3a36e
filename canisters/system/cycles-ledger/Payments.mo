/// Cycles that leave the ledger. They are taken from the account, in a block, before anything is called with them; what
/// comes back is given back in blocks of its kind. So nobody can spend cycles twice that are under way.

import Blob "mo:core/Blob";
import Nat8 "mo:core/Nat8";
import Principal "mo:core/Principal";
import VarArray "mo:core/VarArray";
import Array "mo:core/Array";
import Accounts "mo:token/Accounts";
import Log "mo:token/Log";
import State "mo:token/State";
import Token "mo:token/Types";
import Transactions "mo:token/Transactions";
import Types "Types";

module {
  public type Payment = {
    from : Types.Account;
    /// Who pays out of the account of another.
    spender : ?Types.Account;
    amount : Nat;
    memo : Blob;
    created_at_time : ?Nat64;
  };

  /// What was taken.
  public type Taken = {
    payment : Payment;
    block : Nat;
    /// Whose approval was used, and when it expires.
    used : ?{ spender : Types.Account; expires_at : ?Nat64 };
  };

  public type GivenBack = { refund : ?Nat; approval : ?Nat };

  let memoSize = 32;
  func memoOf(byte : Nat8) : Blob { Blob.fromVarArray(VarArray.repeat<Nat8>(byte, memoSize)) };

  /// The memos of the real ledger (storage.rs): of a creation, of what comes back from one, and from a withdrawal.
  public func creationMemo() : Blob { memoOf 0xfe };
  public func creationRefundMemo() : Blob { memoOf 0xfd };
  public func withdrawalRefundMemo() : Blob { memoOf 0xff };

  /// The receiver in CBOR, an array of one (memo.rs). A principal has 29 bytes at most, so that a memo has 32.
  public func withdrawalMemo(to : Principal) : Blob {
    let bytes = Blob.toArray(Principal.toBlob to);
    let head : [Nat8] = if (bytes.size() < 24) [0x81, 0x40 + Nat8.fromNat(bytes.size())] else [0x81, 0x58, Nat8.fromNat(bytes.size())];
    Blob.fromArray(Array.concat(head, bytes));
  };

  /// Takes amount and fee, and writes the block; or changes nothing and says why.
  public func take(state : State.State, now : Nat64, payment : Payment) : { #ok : Taken; #err : Types.Refusal } {
    let accounts = switch (payment.spender) { case null [payment.from]; case (?spender) [payment.from, spender] };
    let request : State.Request = {
      accounts;
      amount = payment.amount;
      fee = null;
      cost = state.fee;
      memo = ?payment.memo;
      created_at_time = payment.created_at_time;
      tx = Transactions.transfer(
        #burn,
        payment.spender,
        {
          payment with
          to = payment.from;
          fee = null;
          memo = ?payment.memo;
          spender_subaccount = null;
        },
      );
    };
    switch (State.objection(state, now, request)) {
      case (?error) return #err(refusal error);
      case null {};
    };
    let needed = payment.amount + state.fee;
    let used = switch (payment.spender) {
      case (?spender) if (Accounts.key spender != Accounts.key(payment.from)) {
        let { allowance; expires_at } = State.allowance(state, now, payment.from, spender);
        if (allowance < needed) return #err(#InsufficientAllowance { allowance });
        ?{ spender; expires_at; left = allowance - needed : Nat };
      } else null;
      case null null;
    };
    let balance = State.balance(state, payment.from);
    if (balance < needed) return #err(#InsufficientFunds { balance });
    State.debit(state, payment.from, needed);
    state.supply -= needed;
    switch used {
      case (?{ spender; expires_at; left }) State.setAllowance(state, payment.from, spender, { allowance = left; expires_at });
      case null {};
    };
    #ok { payment; block = State.record(state, now, request); used };
  };

  /// Gives back what the call did not use, less a fee for each block that this writes. What is no more than a fee is burnt.
  public func giveBack(state : State.State, now : Nat64, { payment; used } : Taken, returned : Nat, memo : Blob) : GivenBack {
    if (returned <= state.fee) return { refund = null; approval = null };
    let credited = returned - state.fee : Nat;
    let refund = mint(state, now, payment.from, credited, 0, ?memo);
    let ?{ spender; expires_at } = used else return { refund = ?refund; approval = null };
    let isValid = switch expires_at { case (?end) end > now; case null true };
    if (credited <= state.fee or not isValid) return { refund = ?refund; approval = null };
    let current = State.allowance(state, now, payment.from, spender);
    let args : Token.ApproveArgs = {
      from_subaccount = payment.from.subaccount;
      spender;
      amount = current.allowance + (credited - state.fee : Nat);
      expected_allowance = null;
      expires_at = switch (current.expires_at) { case null expires_at; case given given };
      fee = null;
      memo = ?withdrawalRefundMemo();
      created_at_time = null;
    };
    State.debit(state, payment.from, state.fee);
    state.supply -= state.fee;
    State.setAllowance(state, payment.from, spender, { allowance = args.amount; expires_at = args.expires_at });
    { refund = ?refund; approval = ?Log.add(state.log, now, Transactions.approval(payment.from, args), ?state.fee) };
  };

  /// Puts cycles on an account, in a block that tells what was kept of them as a fee.
  public func mint(state : State.State, now : Nat64, to : Types.Account, amount : Nat, fee : Nat, memo : ?Blob) : Nat {
    State.credit(state, to, amount);
    state.supply += amount;
    let fields : [(Text, Token.Value)] = [("op", #Text "mint"), ("to", Accounts.value to), ("amt", #Nat amount), ("fee", #Nat fee)];
    let tx = switch memo { case null fields; case (?bytes) Array.concat(fields, [("memo", #Blob bytes)]) };
    Log.add(state.log, now, #Map tx, ?0);
  };

  /// Without a fee given by the caller there is no wrong one.
  func refusal(error : Token.CommonError) : Types.Refusal {
    switch error {
      case (#BadFee _) #TemporarilyUnavailable;
      case (#InsufficientFunds it) #InsufficientFunds it;
      case (#TooOld) #TooOld;
      case (#CreatedInFuture it) #CreatedInFuture it;
      case (#Duplicate it) #Duplicate it;
      case (#TemporarilyUnavailable) #TemporarilyUnavailable;
      case (#GenericError it) #GenericError it;
    };
  };
};
