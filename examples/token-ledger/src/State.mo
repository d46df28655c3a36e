/// What the ledger remembers, and the checks that every operation goes through.

import Array "mo:core/Array";
import List "mo:core/List";
import Map "mo:core/Map";
import Nat64 "mo:core/Nat64";
import Order "mo:core/Order";
import Blob "mo:core/Blob";
import Runtime "mo:core/Runtime";
import Accounts "Accounts";
import Log "Log";
import Recent "Recent";
import Types "Types";
import Values "Values";

module {
  type AllowanceKey = (from : Accounts.Key, spender : Accounts.Key);

  public type State = {
    name : Text;
    symbol : Text;
    decimals : Nat8;
    fee : Nat;
    mintingAccount : ?Types.Account;
    /// Accounts with nothing are not kept.
    balances : Map.Map<Accounts.Key, Nat>;
    allowances : Map.Map<AllowanceKey, Types.Allowance>;
    var supply : Nat;
    log : Log.Log;
    recent : Recent.Recent;
  };

  /// Bytes of a memo, as `icrc1:max_memo_length` tells.
  public let memoLength = 32;
  /// Most tokens there can be, and most that can be approved: 2^256 - 1, what wallets approve when they mean all.
  public let most : Nat = 115792089237316195423570985008687907853269984665640564039457584007913129639935;
  /// Characters of the name and the symbol, and accounts to begin with.
  let nameLength = 100;
  let mostInitial = 10_000;

  func compareAllowances(a : AllowanceKey, b : AllowanceKey) : Order.Order {
    switch (Blob.compare(a.0, b.0)) {
      case (#equal) Blob.compare(a.1, b.1);
      case other other;
    };
  };

  /// A new ledger; the balances it begins with are minted. Traps, which fails the installation, when something is wrong.
  public func open(given : ?Types.Init, now : Nat64) : State {
    let ?init = given else Runtime.trap("Give the name, symbol, decimals, fee and balances of the token.");
    if (init.name == "" or init.name.size() > nameLength) Runtime.trap("The name needs 1 to 100 characters.");
    if (init.symbol == "" or init.symbol.size() > nameLength) Runtime.trap("The symbol needs 1 to 100 characters.");
    if (init.fee > most) Runtime.trap("The fee is too high.");
    if (init.initial_balances.size() > mostInitial) Runtime.trap("At most 10000 accounts can have a balance at first.");
    let state : State = {
      name = init.name;
      symbol = init.symbol;
      decimals = init.decimals;
      fee = init.fee;
      mintingAccount = init.minting_account;
      balances = Map.empty<Accounts.Key, Nat>();
      allowances = Map.empty<AllowanceKey, Types.Allowance>();
      var supply = 0;
      log = Log.empty();
      recent = Recent.empty();
    };
    switch (init.minting_account) {
      case (?account) if (not Accounts.isValid account) Runtime.trap("A subaccount has 32 bytes.");
      case null {};
    };
    for ((account, amount) in init.initial_balances.values()) {
      if (not Accounts.isValid account) Runtime.trap("A subaccount has 32 bytes.");
      if (isMinting(state, account)) Runtime.trap("The minting account has no balance.");
      if (state.supply + amount > most) Runtime.trap("There are too many tokens.");
      credit(state, account, amount);
      state.supply += amount;
      let tx = #Map([("op", #Text "mint"), ("to", Accounts.value account), ("amt", #Nat amount)]);
      ignore Log.add(state.log, now, tx, null);
    };
    state;
  };

  public func isMinting(state : State, account : Types.Account) : Bool {
    switch (state.mintingAccount) {
      case null false;
      case (?minting) Accounts.key(minting) == Accounts.key(account);
    };
  };

  public func balance(state : State, account : Types.Account) : Nat {
    switch (Map.get(state.balances, Blob.compare, Accounts.key account)) {
      case null 0;
      case (?amount) amount;
    };
  };

  public func credit(state : State, account : Types.Account, amount : Nat) {
    setBalance(state, account, balance(state, account) + amount);
  };

  /// Traps when the account has less; callers have looked before.
  public func debit(state : State, account : Types.Account, amount : Nat) {
    setBalance(state, account, balance(state, account) - amount : Nat);
  };

  func setBalance(state : State, account : Types.Account, amount : Nat) {
    let key = Accounts.key account;
    if (amount == 0) Map.remove(state.balances, Blob.compare, key) else Map.add(state.balances, Blob.compare, key, amount);
  };

  /// What is left of an allowance; nothing once it has expired.
  public func allowance(state : State, now : Nat64, from : Types.Account, spender : Types.Account) : Types.Allowance {
    let none : Types.Allowance = { allowance = 0; expires_at = null };
    let ?found = Map.get(state.allowances, compareAllowances, (Accounts.key from, Accounts.key spender)) else return none;
    switch (found.expires_at) {
      case (?end) if (end <= now) none else found;
      case null found;
    };
  };

  /// The allowances of an owner's account and of its accounts that come later, but those that have expired: at most `most`, those
  /// after one of a spender where it is given.
  public func allowancesFrom(state : State, now : Nat64, from : Types.Account, after : ?Accounts.Key, most : Nat) : [(Types.Account, Types.Account, Types.Allowance)] {
    let start : AllowanceKey = (Accounts.key from, switch after { case null ""; case (?key) key });
    let found = List.empty<(Types.Account, Types.Account, Types.Allowance)>();
    label search for ((key, allowance) in Map.entriesFrom(state.allowances, compareAllowances, start)) {
      let owner = Accounts.ofKey(key.0);
      if (List.size(found) == most or owner.owner != from.owner) break search;
      let isPast = switch (allowance.expires_at) { case (?end) end <= now; case null false };
      if (key != start and not isPast) List.add(found, (owner, Accounts.ofKey(key.1), allowance));
    };
    List.toArray(found);
  };

  public func setAllowance(state : State, from : Types.Account, spender : Types.Account, left : Types.Allowance) {
    let key = (Accounts.key from, Accounts.key spender);
    if (left.allowance == 0) Map.remove(state.allowances, compareAllowances, key) else Map.add(state.allowances, compareAllowances, key, left);
  };

  public func refuse(code : Nat, message : Text) : { #GenericError : { error_code : Nat; message : Text } } {
    #GenericError { error_code = code; message };
  };

  /// What can be said about a request before its amounts are looked at.
  public type Request = {
    accounts : [Types.Account];
    amount : Nat;
    /// What the caller expects to pay, and what it costs.
    fee : ?Nat;
    cost : Nat;
    memo : ?Blob;
    created_at_time : ?Nat64;
    tx : Types.Value;
  };

  /// Null when the request may go on.
  public func objection(state : State, now : Nat64, request : Request) : ?Types.CommonError {
    if (not Array.all<Types.Account>(request.accounts, Accounts.isValid)) return ?refuse(1, "A subaccount has 32 bytes.");
    switch (request.memo) {
      case (?memo) if (memo.size() > memoLength) return ?refuse(2, "A memo has 32 bytes at most.");
      case null {};
    };
    if (request.amount > most) return ?refuse(3, "The amount is too large.");
    if (List.size(state.log.blocks) >= Log.mostBlocks) return ?refuse(4, "The log of the ledger is full.");
    switch (request.fee) {
      case (?fee) if (fee != request.cost) return ?#BadFee { expected_fee = request.cost };
      case null {};
    };
    let ?createdAt = request.created_at_time else return null;
    switch (Recent.check(now, createdAt)) {
      case (#tooOld) return ?#TooOld;
      case (#future) return ?#CreatedInFuture { ledger_time = now };
      case (#fine) {};
    };
    switch (Recent.find(state.recent, createdAt, Values.hash(request.tx))) {
      case (?index) ?#Duplicate { duplicate_of = index };
      case null if (Recent.isFull(state.recent, now)) ?#TemporarilyUnavailable else null;
    };
  };

  /// Writes the block of a request that was carried out, and answers its number.
  public func record(state : State, now : Nat64, request : Request) : Nat {
    // A block says what was charged where its transaction does not.
    let charged = switch (request.fee) { case null if (request.cost > 0) ?request.cost else null; case _ null };
    let index = Log.add(state.log, now, request.tx, charged);
    switch (request.created_at_time) {
      case (?createdAt) Recent.add(state.recent, createdAt, Values.hash(request.tx), index);
      case null {};
    };
    index;
  };
};
