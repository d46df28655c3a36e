// A counterpart for tests: what the console uses of the cycles ledger's interface (dfinity/cycles-ledger), with its
// rules. Cycles are held, moved and given back for real; a payment is known by its account, amount, time and purpose.
import Error "mo:core/Error";
import Map "mo:core/Map";
import Nat "mo:core/Nat";
import Nat64 "mo:core/Nat64";
import Int "mo:core/Int";
import Principal "mo:core/Principal";
import Text "mo:core/Text";
import Time "mo:core/Time";

persistent actor class CyclesLedger(
  args : {
    #Init : {
      max_blocks_per_request : Nat64;
      index_id : ?Principal;
      initial_balances : ?[({ owner : Principal; subaccount : ?Blob }, Nat)];
    };
  }
) {
  type Variable = { name : Text; value : Text };
  type Settings = { controllers : ?[Principal]; environment_variables : ?[Variable] };
  type CreateArgs = {
    from_subaccount : ?Blob;
    created_at_time : ?Nat64;
    amount : Nat;
    creation_args : ?{ settings : ?Settings };
  };
  type CreateError = {
    #InsufficientFunds : { balance : Nat };
    #TooOld;
    #CreatedInFuture : { ledger_time : Nat64 };
    #TemporarilyUnavailable;
    #Duplicate : { duplicate_of : Nat; canister_id : ?Principal };
    #FailedToCreate : { fee_block : ?Nat; refund_block : ?Nat; error : Text };
    #GenericError : { message : Text; error_code : Nat };
  };
  type WithdrawArgs = { amount : Nat; from_subaccount : ?Blob; to : Principal; created_at_time : ?Nat64 };
  type RejectionCode = {
    #NoError;
    #CanisterError;
    #SysTransient;
    #DestinationInvalid;
    #Unknown;
    #SysFatal;
    #CanisterReject;
  };
  type WithdrawError = {
    #GenericError : { message : Text; error_code : Nat };
    #TemporarilyUnavailable;
    #FailedToWithdraw : { fee_block : ?Nat; rejection_code : RejectionCode; rejection_reason : Text };
    #Duplicate : { duplicate_of : Nat };
    #BadFee : { expected_fee : Nat };
    #InvalidReceiver : { receiver : Principal };
    #CreatedInFuture : { ledger_time : Nat64 };
    #TooOld;
    #InsufficientFunds : { balance : Nat };
  };
  type Refusal = {
    #InsufficientFunds : { balance : Nat };
    #TooOld;
    #CreatedInFuture : { ledger_time : Nat64 };
  };

  transient let fee : Nat = 100_000_000;
  transient let window : Nat = 24 * 60 * 60 * 1_000_000_000;
  transient let drift : Nat = 60 * 1_000_000_000;
  transient let ic : actor {
    create_canister : { settings : ?Settings } -> async { canister_id : Principal };
    deposit_cycles : { canister_id : Principal } -> async ();
  } = actor "aaaaa-aa";

  let balances = Map.empty<Principal, Nat>();
  let payments = Map.empty<Text, { block : Nat; canister : ?Principal }>();
  var blocks = 0;
  var isPaused = false;
  switch args {
    case (#Init { initial_balances = ?initial }) {
      for ((account, amount) in initial.vals()) Map.add(balances, Principal.compare, account.owner, amount);
    };
    case _ {};
  };

  func balanceOf(owner : Principal) : Nat = switch (Map.get(balances, Principal.compare, owner)) {
    case (?balance) balance;
    case null 0;
  };

  func now() : Nat = Int.abs(Time.now());

  func keyOf(owner : Principal, amount : Nat, time : ?Nat64, purpose : Text) : Text = Text.join(
    [Principal.toText(owner), Nat.toText(amount), debug_show time, purpose].vals(),
    " ",
  );

  /// Takes amount and fee from the account and writes the block, unless something speaks against it.
  func pay(owner : Principal, amount : Nat, time : ?Nat64, key : Text) : { #ok : Nat; #err : Refusal } {
    let balance = balanceOf(owner);
    if (balance < amount + fee) return #err(#InsufficientFunds { balance });
    switch time {
      case (?given) {
        let at = Nat64.toNat(given);
        if (at + window + drift < now()) return #err(#TooOld);
        if (at > now() + drift) return #err(#CreatedInFuture { ledger_time = Nat64.fromNat(now()) });
      };
      case null {};
    };
    Map.add(balances, Principal.compare, owner, balance - amount - fee : Nat);
    blocks += 1;
    Map.add(payments, Text.compare, key, { block = blocks; canister = null });
    #ok blocks;
  };

  /// Gives back what did not arrive, less the fee of one more block; the payment stays known.
  func giveBack(owner : Principal, amount : Nat) : ?Nat {
    if (amount <= fee) return null;
    Map.add(balances, Principal.compare, owner, balanceOf(owner) + amount - fee : Nat);
    blocks += 1;
    ?blocks;
  };

  public shared ({ caller }) func create_canister(args : CreateArgs) : async {
    #Ok : { block_id : Nat; canister_id : Principal };
    #Err : CreateError;
  } {
    if isPaused return #Err(#TemporarilyUnavailable);
    let key = keyOf(caller, args.amount, args.created_at_time, "create");
    switch (Map.get(payments, Text.compare, key)) {
      case (?{ block; canister }) return #Err(#Duplicate { duplicate_of = block; canister_id = canister });
      case null {};
    };
    let block = switch (pay(caller, args.amount, args.created_at_time, key)) {
      case (#ok block) block;
      case (#err refusal) return #Err(refusal);
    };
    let variables = do ? { args.creation_args!.settings!.environment_variables! };
    try {
      let { canister_id } = await (with cycles = args.amount) ic.create_canister({
        settings = ?{ controllers = ?[caller]; environment_variables = variables };
      });
      Map.add(payments, Text.compare, key, { block; canister = ?canister_id });
      #Ok { block_id = block; canister_id };
    } catch (error) {
      let refund_block = giveBack(caller, args.amount);
      #Err(#FailedToCreate { fee_block = ?block; refund_block; error = Error.message(error) });
    };
  };

  public shared ({ caller }) func withdraw(args : WithdrawArgs) : async { #Ok : Nat; #Err : WithdrawError } {
    if isPaused return #Err(#TemporarilyUnavailable);
    let key = keyOf(caller, args.amount, args.created_at_time, Principal.toText(args.to));
    switch (Map.get(payments, Text.compare, key)) {
      case (?{ block }) return #Err(#Duplicate { duplicate_of = block });
      case null {};
    };
    let block = switch (pay(caller, args.amount, args.created_at_time, key)) {
      case (#ok block) block;
      case (#err refusal) return #Err(refusal);
    };
    try {
      await (with cycles = args.amount) ic.deposit_cycles({ canister_id = args.to });
      #Ok block;
    } catch (error) {
      let fee_block = giveBack(caller, args.amount);
      #Err(#FailedToWithdraw { fee_block; rejection_code = #CanisterError; rejection_reason = Error.message(error) });
    };
  };

  public query func icrc1_balance_of({ owner } : { owner : Principal; subaccount : ?Blob }) : async Nat {
    balanceOf owner;
  };

  /// Not of the real one: answers that it is temporarily unavailable until told otherwise.
  public func pause(paused : Bool) : async () { isPaused := paused };

  /// Not of the real one: puts cycles it holds itself on an account.
  public func mint(owner : Principal, amount : Nat) : async () {
    Map.add(balances, Principal.compare, owner, balanceOf owner + amount);
  };

  /// Not of the real one: how many blocks there are.
  public query func blockCount() : async Nat { blocks };
};
