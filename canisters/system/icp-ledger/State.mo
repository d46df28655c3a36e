/// What the ledger remembers, and the operations on it. Each either changes balances and writes one block, or changes nothing
/// and says why.

import Array "mo:core/Array";
import Blob "mo:core/Blob";
import CertifiedData "mo:core/CertifiedData";
import List "mo:core/List";
import Map "mo:core/Map";
import Nat "mo:core/Nat";
import Nat64 "mo:core/Nat64";
import Order "mo:core/Order";
import Bytes "mo:certified/Bytes";
import HashTree "mo:certified/HashTree";
import Sha256 "mo:certified/Sha256";
import Recent "mo:token/Recent";
import Token "mo:token/Types";
import Values "mo:token/Values";
import Blocks "Blocks";
import Identifiers "Identifiers";
import Types "Types";

module {
  type AllowanceKey = (from : Types.Identifier, spender : Types.Identifier);
  /// A block, and the hash of the one before as ICRC-3 counts hashes.
  type Kept = { block : Blocks.Block; phash : ?Blob };

  public type State = {
    name : Text;
    symbol : Text;
    fee : Nat64;
    minter : Blocks.Party;
    index : ?Principal;
    /// Accounts with nothing are not kept.
    balances : Map.Map<Types.Identifier, Nat64>;
    allowances : Map.Map<AllowanceKey, { allowance : Nat64; expires_at : ?Nat64 }>;
    var supply : Nat64;
    blocks : List.List<Kept>;
    /// Hashes of the last block, of its bytes and as ICRC-3 counts them.
    var tip : ?{ hash : Blob; value : Blob };
    recent : Recent.Recent;
  };

  public let memoLength = 32;
  public let mostTokens : Nat = 18446744073709551615;
  /// There is no archive, so the log has an end.
  let mostBlocks = 1_000_000;
  /// Blocks of one answer, which has 2 MB at most, and ranges of one question.
  let mostInAnswer = 1_000;
  let mostRanges = 100;

  public func open(init : { name : Text; symbol : Text; fee : Nat64; minter : Blocks.Party; index : ?Principal }) : State {
    {
      init with
      balances = Map.empty<Types.Identifier, Nat64>();
      allowances = Map.empty<AllowanceKey, { allowance : Nat64; expires_at : ?Nat64 }>();
      var supply = 0 : Nat64;
      blocks = List.empty<Kept>();
      var tip = null;
      recent = Recent.empty();
    };
  };

  public func balance(state : State, id : Types.Identifier) : Nat64 {
    switch (Map.get(state.balances, Blob.compare, id)) { case null 0; case (?amount) amount };
  };

  func setBalance(state : State, id : Types.Identifier, amount : Nat64) {
    if (amount == 0) Map.remove(state.balances, Blob.compare, id) else Map.add(state.balances, Blob.compare, id, amount);
  };

  func compareAllowances(a : AllowanceKey, b : AllowanceKey) : Order.Order {
    switch (Blob.compare(a.0, b.0)) {
      case (#equal) Blob.compare(a.1, b.1);
      case other other;
    };
  };

  /// What is left of an allowance; nothing once it has expired.
  public func allowance(state : State, now : Nat64, from : Types.Identifier, spender : Types.Identifier) : { allowance : Nat64; expires_at : ?Nat64 } {
    let none = { allowance = 0 : Nat64; expires_at = null };
    let ?found = Map.get(state.allowances, compareAllowances, (from, spender)) else return none;
    switch (found.expires_at) { case (?end) if (end <= now) none else found; case null found };
  };

  /// The allowances of an account, but those that have expired: at most `most`, those after one of a spender where it is given.
  public func allowancesFrom(state : State, now : Nat64, from : Types.Identifier, after : ?Types.Identifier, most : Nat) : [Types.AllowanceDetail] {
    let start : AllowanceKey = (from, switch after { case null "" : Blob; case (?id) id });
    let found = List.empty<Types.AllowanceDetail>();
    label search for ((key, { allowance; expires_at }) in Map.entriesFrom(state.allowances, compareAllowances, start)) {
      if (List.size found == most or key.0 != from) break search;
      let isPast = switch expires_at { case (?end) end <= now; case null false };
      if (key != start and not isPast) List.add(
        found,
        {
          from_account_id = Identifiers.toText(key.0);
          to_spender_id = Identifiers.toText(key.1);
          allowance = { e8s = allowance };
          expires_at;
        },
      );
    };
    List.toArray found;
  };

  func setAllowance(state : State, from : Types.Identifier, spender : Types.Identifier, left : { allowance : Nat64; expires_at : ?Nat64 }) {
    let key = (from, spender);
    if (left.allowance == 0) Map.remove(state.allowances, compareAllowances, key) else Map.add(state.allowances, compareAllowances, key, left);
  };

  public type Refusal = Token.TransferFromError;

  public func refuse(code : Nat, message : Text) : { #GenericError : { error_code : Nat; message : Text } } {
    #GenericError { error_code = code; message };
  };

  /// What callers say beside the operation.
  public type Saying = {
    /// What the caller expects to pay.
    fee : ?Nat;
    memo : Nat64;
    icrc1_memo : ?Blob;
    created_at_time : ?Nat64;
  };

  /// Null when the request may go on.
  func objection(state : State, now : Nat64, cost : Nat64, { fee; icrc1_memo; created_at_time } : Saying, transaction : Blocks.Transaction) : ?Token.CommonError {
    switch icrc1_memo {
      case (?memo) if (memo.size() > memoLength) return ?refuse(2, "A memo has 32 bytes at most.");
      case null {};
    };
    if (List.size(state.blocks) >= mostBlocks) return ?refuse(4, "The log of the ledger is full.");
    switch fee {
      case (?given) if (given != Nat64.toNat cost) return ?#BadFee { expected_fee = Nat64.toNat cost };
      case null {};
    };
    let ?createdAt = created_at_time else return null;
    switch (Recent.check(now, createdAt)) {
      case (#tooOld) return ?#TooOld;
      case (#future) return ?#CreatedInFuture { ledger_time = now };
      case (#fine) {};
    };
    switch (Recent.find(state.recent, createdAt, hashOf transaction)) {
      case (?index) ?#Duplicate { duplicate_of = index };
      case null if (Recent.isFull(state.recent, now)) ?#TemporarilyUnavailable else null;
    };
  };

  func hashOf(transaction : Blocks.Transaction) : Blob {
    Sha256.ofBlob(Blob.fromArray(Array.flatten<Nat8>(Blocks.encodeTransaction transaction)));
  };

  public type Transfer = Saying and {
    from : Blocks.Party;
    to : Blocks.Party;
    spender : ?Blocks.Party;
    amount : Nat;
  };

  /// Moves tokens; makes or burns them where the minter is on one side.
  public func transfer(state : State, now : Nat64, args : Transfer) : { #Ok : Nat; #Err : Refusal } {
    let { from; to; spender } = args;
    if (args.amount > mostTokens) return #Err(#InsufficientFunds { balance = Nat64.toNat(balance(state, from.id)) });
    let amount = Nat64.fromNat(args.amount);
    let isMint = from.id == state.minter.id;
    let isBurn = to.id == state.minter.id;
    if (isMint and isBurn) return #Err(refuse(6, "The minting account cannot transfer to itself."));
    let cost : Nat64 = if (isMint or isBurn) 0 else state.fee;
    let transaction : Blocks.Transaction = {
      operation = if isMint #mint { to; amount } else if isBurn #burn { from; spender; amount } else #transfer { from; to; spender; amount; fee = cost };
      memo = args.memo;
      icrc1_memo = args.icrc1_memo;
      created_at_time = switch (args.created_at_time) { case null now; case (?given) given };
    };
    switch (objection(state, now, cost, args, transaction)) {
      case (?error) return #Err error;
      case null {};
    };
    let available = balance(state, from.id);
    // Less than a fee cannot be burnt, but the rest of an account can.
    let leastBurn = Nat64.min(state.fee, available);
    // To burn nothing would be a block without a fee.
    if (isBurn and amount == 0) return #Err(#BadBurn { min_burn_amount = Nat64.toNat(Nat64.max(state.fee, 1)) });
    if (isBurn and amount < leastBurn) return #Err(#BadBurn { min_burn_amount = Nat64.toNat leastBurn });
    if (isMint and args.amount + Nat64.toNat(state.supply) > mostTokens) return #Err(refuse(3, "There would be too many tokens."));
    let needed = args.amount + Nat64.toNat cost;
    let used = switch spender {
      case (?one) if (one.id == from.id) null else {
        // Nobody can give an allowance on the minting account: not for nothing either, which would be a block without a fee.
        if isMint return #Err(#InsufficientAllowance { allowance = 0 });
        let { allowance = left; expires_at } = allowance(state, now, from.id, one.id);
        if (Nat64.toNat left < needed) return #Err(#InsufficientAllowance { allowance = Nat64.toNat left });
        ?{ id = one.id; left = { allowance = left - Nat64.fromNat needed; expires_at } };
      };
      case null null;
    };
    if (not isMint) {
      if (Nat64.toNat available < needed) return #Err(#InsufficientFunds { balance = Nat64.toNat available });
      setBalance(state, from.id, available - Nat64.fromNat needed);
    };
    switch used { case (?{ id; left }) setAllowance(state, from.id, id, left); case null {} };
    // There are never more than 2^64 - 1 tokens, so that no account has more.
    if (not isBurn) setBalance(state, to.id, balance(state, to.id) + amount);
    if isMint state.supply += amount;
    if isBurn state.supply -= amount;
    // The fee is burnt.
    state.supply -= cost;
    #Ok(record(state, now, transaction, args.created_at_time));
  };

  public type Approval = Saying and {
    from : Blocks.Party;
    spender : Blocks.Party;
    amount : Nat;
    expected_allowance : ?Nat;
    expires_at : ?Nat64;
  };

  /// Lets another spend. More than all tokens that there can be means all.
  public func approve(state : State, now : Nat64, args : Approval) : Token.ApproveResult {
    let { from; spender; expires_at } = args;
    let { allowance = current } = allowance(state, now, from.id, spender.id);
    let changed : Token.ApproveResult = #Err(#AllowanceChanged { current_allowance = Nat64.toNat current });
    let expected_allowance : ?Nat64 = switch (args.expected_allowance) {
      // No allowance is that large.
      case (?expected) if (expected > mostTokens) return changed else ?Nat64.fromNat expected;
      case null null;
    };
    let allowed = Nat64.fromNat(Nat.min(args.amount, mostTokens));
    let transaction : Blocks.Transaction = {
      operation = #approve {
        from;
        spender;
        allowance = allowed;
        fee = state.fee;
        expires_at;
        expected_allowance;
      };
      memo = args.memo;
      icrc1_memo = args.icrc1_memo;
      created_at_time = switch (args.created_at_time) { case null now; case (?given) given };
    };
    switch (objection(state, now, state.fee, args, transaction)) {
      case (?error) return #Err error;
      case null {};
    };
    // Not before: one that is sent again finds the allowance that it made itself.
    switch expected_allowance {
      case (?expected) if (expected != current) return changed;
      case null {};
    };
    if (from.id == spender.id) return #Err(refuse(5, "An owner needs no approval to spend."));
    if (from.id == state.minter.id) return #Err(refuse(6, "The minting account cannot approve."));
    switch expires_at {
      case (?end) if (end <= now) return #Err(#Expired { ledger_time = now });
      case null {};
    };
    let available = balance(state, from.id);
    if (available < state.fee) return #Err(#InsufficientFunds { balance = Nat64.toNat available });
    setBalance(state, from.id, available - state.fee);
    state.supply -= state.fee;
    setAllowance(state, from.id, spender.id, { allowance = allowed; expires_at });
    #Ok(record(state, now, transaction, args.created_at_time));
  };

  /// Writes the block of what was done, and answers its number.
  func record(state : State, timestamp : Nat64, transaction : Blocks.Transaction, createdAt : ?Nat64) : Nat {
    let index = List.size(state.blocks);
    let (parent_hash, phash) = switch (state.tip) { case null (null, null); case (?{ hash; value }) (?hash, ?value) };
    let block : Blocks.Block = { parent_hash; timestamp; transaction };
    List.add(state.blocks, { block; phash });
    state.tip := ?{ hash = Sha256.ofBlob(Blocks.encode block); value = Values.hash(Blocks.value(block, phash)) };
    certify state;
    switch createdAt {
      case (?given) Recent.add(state.recent, given, hashOf transaction, index);
      case null {};
    };
    index;
  };

  /// Certifies the last block; a canister that was upgraded calls it, too.
  public func certify(state : State) {
    switch (tree state) { case (?root) CertifiedData.set(HashTree.hash root); case null {} };
  };

  func tree(state : State) : ?HashTree.Node {
    let ?{ value } = state.tip else return null;
    let last = Nat.max(List.size(state.blocks), 1) - 1 : Nat;
    ?#level([("last_block_hash", #leaf value), ("last_block_index", #leaf(Bytes.leb128 last))]);
  };

  public func certificate(state : State) : ?Token.TipCertificate {
    let ?root = tree state else return null;
    let ?certificate = CertifiedData.getCertificate() else return null;
    ?{ certificate; hash_tree = HashTree.encode(HashTree.reveal(root, [[]])) };
  };

  /// Blocks from `start` on, as many as one answer can have.
  public func range(state : State, start : Nat64, length : Nat64) : [Blocks.Block] {
    let first = Nat64.toNat start;
    let end = Nat.min(List.size(state.blocks), first + Nat.min(Nat64.toNat length, mostInAnswer));
    if (first >= end) return [];
    Array.tabulate<Blocks.Block>(end - first : Nat, func at = List.at(state.blocks, first + at).block);
  };

  /// Blocks as ICRC-3 has them.
  public func values(state : State, ranges : [Token.BlockRange]) : Token.Blocks {
    let found = List.empty<{ id : Nat; block : Token.Value }>();
    let size = List.size(state.blocks);
    for ({ start; length } in Array.sliceToArray(ranges, 0, Nat.min(mostRanges, ranges.size())).values()) {
      var at = start;
      while (at < Nat.min(start + length, size) and List.size(found) < mostInAnswer) {
        let { block; phash } = List.at(state.blocks, at);
        List.add(found, { id = at; block = Blocks.value(block, phash) });
        at += 1;
      };
    };
    { log_length = size; blocks = List.toArray found; archived_blocks = [] };
  };
};
