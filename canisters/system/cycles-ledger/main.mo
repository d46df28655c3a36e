/// A cycles ledger for development: the interface of um5iw-rqaaa-aaaaq-qaaba-cai on the Internet Computer, written for the
/// embedded network. It holds and moves the cycles of that network, which are worth nothing elsewhere.

import Array "mo:core/Array";
import Cycles "mo:core/Cycles";
import Error "mo:core/Error";
import Int "mo:core/Int";
import List "mo:core/List";
import Map "mo:core/Map";
import Nat "mo:core/Nat";
import Nat64 "mo:core/Nat64";
import Principal "mo:core/Principal";
import Runtime "mo:core/Runtime";
import Text "mo:core/Text";
import Time "mo:core/Time";
import Accounts "mo:token/Accounts";
import Consent "mo:token/Consent";
import Ledger "mo:token/Ledger";
import Log "mo:token/Log";
import State "mo:token/State";
import Token "mo:token/Types";
import Payments "Payments";
import Types "Types";

// The type is written out: the compiler gives its name alone to those who ask for the arguments.
persistent actor class CyclesLedger(
  args : {
    #Init : {
      max_blocks_per_request : Nat64;
      index_id : ?Principal;
      initial_balances : ?[({ owner : Principal; subaccount : ?Blob }, Nat)];
      /// Not of the real ledger: where canisters are created. Whoever asks for another subnet is refused.
      subnet_id : ?Principal;
    };
    #Upgrade : ?{
      max_blocks_per_request : ?Nat64;
      change_index_id : ?{ #Unset; #SetTo : Principal };
    };
  }
) {
  // Of the real ledger (config.rs).
  transient let fee : Nat = 100_000_000;
  transient let mostAllowances : Nat = 500;
  transient let management : Types.Management = actor "aaaaa-aa";

  func now() : Nat64 { Nat64.fromNat(Int.abs(Time.now())) };

  func valid(account : Types.Account) : Types.Account {
    if (not Accounts.isValid account) Runtime.trap("A subaccount has 32 bytes.");
    account;
  };

  let state = State.open(
    ?{
      name = "Trillion Cycles";
      symbol = "TCYCLES";
      decimals = 12 : Nat8;
      fee = 100_000_000;
      minting_account = null;
      initial_balances = [];
    },
    now(),
  );
  /// The canisters that payments with a time have made, by their blocks.
  let created = Map.empty<Nat, Principal>();
  var mostBlocks : Nat = 0;
  var index : ?Principal = null;
  var subnet : ?Principal = null;
  var isOpen = false;

  switch args {
    case (#Init init) {
      if isOpen Runtime.trap("An upgrade takes the argument Upgrade.");
      isOpen := true;
      mostBlocks := Nat64.toNat(init.max_blocks_per_request);
      index := init.index_id;
      subnet := init.subnet_id;
      switch (init.initial_balances) {
        case (?balances) for ((account, amount) in balances.values()) {
          ignore Payments.mint(state, now(), valid account, amount, 0, null);
        };
        case null {};
      };
    };
    case (#Upgrade change) {
      if (not isOpen) Runtime.trap("An installation takes the argument Init.");
      switch change {
        case (?{ max_blocks_per_request; change_index_id }) {
          switch max_blocks_per_request { case (?most) mostBlocks := Nat64.toNat most; case null {} };
          switch change_index_id {
            case (?#Unset) index := null;
            case (?#SetTo id) index := ?id;
            case null {};
          };
        };
        case null {};
      };
    };
  };
  Log.certify(state.log);

  /// The management canister calls nobody, so that what it owns would be lost.
  func refused(accounts : [Types.Account]) : ?{ #GenericError : { error_code : Nat; message : Text } } {
    let isOwned = Array.any<Types.Account>(accounts, func({ owner }) = owner == Principal.fromActor management);
    if isOwned ?State.refuse(7, "The management canister cannot own an account.") else null;
  };

  /// Takes the cycles that are attached, and puts them on an account, less the fee.
  public shared func deposit({ to; memo } : Types.DepositArgs) : async Types.DepositResult {
    ignore valid to;
    switch memo {
      case (?bytes) if (bytes.size() > State.memoLength) Runtime.trap("A memo has 32 bytes at most.");
      case null {};
    };
    if (List.size(state.log.blocks) >= Log.mostBlocks) Runtime.trap("The log of the ledger is full.");
    let accepted = Cycles.accept<system>(Cycles.available());
    if (accepted <= fee) Runtime.trap("A deposit must be more than the fee of " # Nat.toText fee # " cycles.");
    let block_index = Payments.mint(state, now(), to, accepted - fee : Nat, fee, memo);
    { block_index; balance = State.balance(state, to) };
  };

  public shared ({ caller }) func withdraw(args : Types.WithdrawArgs) : async { #Ok : Nat; #Err : Types.WithdrawError } {
    let from = { owner = caller; subaccount = args.from_subaccount };
    switch (await* send({ args with from; spender = null })) {
      case (#ok block) #Ok block;
      case (#failed { given; code; reason }) #Err(#FailedToWithdraw { fee_block = given.refund; rejection_code = code; rejection_reason = reason });
      case (#receiver receiver) #Err(#InvalidReceiver { receiver });
      // Nobody pays out of the account of another here.
      case (#refused(#InsufficientAllowance _)) #Err(#TemporarilyUnavailable);
      case (#refused(#InsufficientFunds it)) #Err(#InsufficientFunds it);
      case (#refused(#TooOld)) #Err(#TooOld);
      case (#refused(#CreatedInFuture it)) #Err(#CreatedInFuture it);
      case (#refused(#Duplicate it)) #Err(#Duplicate it);
      case (#refused(#TemporarilyUnavailable)) #Err(#TemporarilyUnavailable);
      case (#refused(#GenericError it)) #Err(#GenericError it);
    };
  };

  public shared ({ caller }) func withdraw_from(args : Types.WithdrawFromArgs) : async { #Ok : Nat; #Err : Types.WithdrawFromError } {
    let spender = ?{ owner = caller; subaccount = args.spender_subaccount };
    switch (await* send({ args with spender })) {
      case (#ok block) #Ok block;
      case (#failed { block; given; code; reason }) #Err(
        #FailedToWithdrawFrom {
          withdraw_from_block = ?block;
          refund_block = given.refund;
          approval_refund_block = given.approval;
          rejection_code = code;
          rejection_reason = reason;
        }
      );
      case (#receiver receiver) #Err(#InvalidReceiver { receiver });
      case (#refused refusal) #Err refusal;
    };
  };

  type Failed = { block : Nat; given : Payments.GivenBack; code : Types.RejectionCode; reason : Text };

  func send({ from; spender; to; amount; created_at_time } : { from : Types.Account; spender : ?Types.Account; to : Principal; amount : Nat; created_at_time : ?Nat64 }) : async* {
    #ok : Nat;
    #failed : Failed;
    #receiver : Principal;
    #refused : Types.Refusal;
  } {
    // Such a principal is that of a key, and no canister.
    if (Principal.isSelfAuthenticating to) return #receiver to;
    if (amount == 0) return #refused(State.refuse(8, "There is nothing to withdraw."));
    let payment = { from; spender; amount; memo = Payments.withdrawalMemo to; created_at_time };
    let taken = switch (pay payment) { case (#ok taken) taken; case (#err refusal) return #refused refusal };
    try {
      await (with cycles = amount) management.deposit_cycles({ canister_id = to });
      #ok(taken.block);
    } catch error {
      #failed(giveBack(taken, error, Payments.withdrawalRefundMemo()));
    };
  };

  public shared ({ caller }) func create_canister(args : Types.CreateCanisterArgs) : async {
    #Ok : Types.CreateCanisterSuccess;
    #Err : Types.CreateCanisterError;
  } {
    let from = { owner = caller; subaccount = args.from_subaccount };
    switch (await* create(caller, { args with from; spender = null })) {
      case (#ok success) #Ok success;
      case (#failed { block; given; reason }) #Err(#FailedToCreate { fee_block = ?block; refund_block = given.refund; error = reason });
      case (#refused(#Duplicate { duplicate_of })) #Err(#Duplicate { duplicate_of; canister_id = Map.get(created, Nat.compare, duplicate_of) });
      // Nobody pays out of the account of another here.
      case (#refused(#InsufficientAllowance _)) #Err(#TemporarilyUnavailable);
      case (#refused(#InsufficientFunds it)) #Err(#InsufficientFunds it);
      case (#refused(#TooOld)) #Err(#TooOld);
      case (#refused(#CreatedInFuture it)) #Err(#CreatedInFuture it);
      case (#refused(#TemporarilyUnavailable)) #Err(#TemporarilyUnavailable);
      case (#refused(#GenericError it)) #Err(#GenericError it);
    };
  };

  public shared ({ caller }) func create_canister_from(args : Types.CreateCanisterFromArgs) : async {
    #Ok : Types.CreateCanisterSuccess;
    #Err : Types.CreateCanisterFromError;
  } {
    let spender = ?{ owner = caller; subaccount = args.spender_subaccount };
    switch (await* create(caller, { args with spender })) {
      case (#ok success) #Ok success;
      case (#failed { block; given; code; reason }) #Err(
        #FailedToCreateFrom {
          create_from_block = ?block;
          refund_block = given.refund;
          approval_refund_block = given.approval;
          rejection_code = code;
          rejection_reason = reason;
        }
      );
      case (#refused(#Duplicate { duplicate_of })) #Err(#Duplicate { duplicate_of; canister_id = Map.get(created, Nat.compare, duplicate_of) });
      case (#refused(#InsufficientFunds it)) #Err(#InsufficientFunds it);
      case (#refused(#InsufficientAllowance it)) #Err(#InsufficientAllowance it);
      case (#refused(#TooOld)) #Err(#TooOld);
      case (#refused(#CreatedInFuture it)) #Err(#CreatedInFuture it);
      case (#refused(#TemporarilyUnavailable)) #Err(#TemporarilyUnavailable);
      case (#refused(#GenericError it)) #Err(#GenericError it);
    };
  };

  func create(
    caller : Principal,
    { from; spender; amount; created_at_time; creation_args } : {
      from : Types.Account;
      spender : ?Types.Account;
      amount : Nat;
      created_at_time : ?Nat64;
      creation_args : ?Types.CreationArgs;
    },
  ) : async* { #ok : Types.CreateCanisterSuccess; #failed : Failed; #refused : Types.Refusal } {
    let payment = { from; spender; amount; memo = Payments.creationMemo(); created_at_time };
    let taken = switch (pay payment) { case (#ok taken) taken; case (#err refusal) return #refused refusal };
    let block = taken.block;
    switch (subnet, do ? { creation_args!.subnet_selection! }) {
      case (?ours, ?#Subnet { subnet = wanted }) if (wanted != ours) {
        let given = Payments.giveBack(state, now(), taken, amount, Payments.creationRefundMemo());
        return #failed { block; given; code = #CanisterError; reason = "There is no subnet " # Principal.toText wanted # " here." };
      };
      case _ {};
    };
    try {
      let { canister_id } = await (with cycles = amount) management.create_canister({ settings = ?settingsOf(caller, creation_args) });
      if (created_at_time != null) Map.add(created, Nat.compare, block, canister_id);
      #ok { block_id = block; canister_id };
    } catch error {
      #failed(giveBack(taken, error, Payments.creationRefundMemo()));
    };
  };

  /// The caller controls the canister unless it says otherwise.
  func settingsOf(caller : Principal, given : ?Types.CreationArgs) : Types.CanisterSettings {
    switch (do ? { given!.settings! }) {
      case (?settings) switch (settings.controllers) {
        case null ({ settings with controllers = ?[caller] });
        case _ settings;
      };
      case null ({
        controllers = ?[caller];
        compute_allocation = null;
        memory_allocation = null;
        freezing_threshold = null;
        reserved_cycles_limit = null;
        wasm_memory_limit = null;
        wasm_memory_threshold = null;
        environment_variables = null;
      });
    };
  };

  /// Takes the payment from its account. What a canister pays for its memory may have used up cycles that accounts stand for.
  func pay(payment : Payments.Payment) : { #ok : Payments.Taken; #err : Types.Refusal } {
    if (payment.amount <= State.balance(state, valid(payment.from)) and Cycles.balance() <= payment.amount) return #err(#TemporarilyUnavailable);
    Payments.take(state, now(), payment);
  };

  func giveBack(taken : Payments.Taken, error : Error.Error, memo : Blob) : Failed {
    // The management canister takes cycles with its reply only: a call that it, or the network, refused brings all of them
    // back. What nobody knows is not given back; calls that wait without a bound do not end so.
    let (code, returned) : (Types.RejectionCode, Nat) = switch (Error.code error) {
      case (#call_error _) (#SysTransient, taken.payment.amount);
      case (#system_fatal) (#SysFatal, taken.payment.amount);
      case (#system_transient) (#SysTransient, taken.payment.amount);
      case (#destination_invalid) (#DestinationInvalid, taken.payment.amount);
      case (#canister_reject) (#CanisterReject, taken.payment.amount);
      case (#canister_error) (#CanisterError, taken.payment.amount);
      case _ (#Unknown, 0);
    };
    let given = Payments.giveBack(state, now(), taken, returned, memo);
    { block = taken.block; given; code; reason = Error.message error };
  };

  public query func icrc1_name() : async Text { state.name };
  public query func icrc1_symbol() : async Text { state.symbol };
  public query func icrc1_decimals() : async Nat8 { state.decimals };
  public query func icrc1_fee() : async Nat { state.fee };
  public query func icrc1_total_supply() : async Nat { state.supply };
  public query func icrc1_minting_account() : async ?Types.Account { null };

  public query func icrc1_metadata() : async [(Text, Token.MetadataValue)] {
    let known : [(Text, Token.MetadataValue)] = [
      ("icrc1:decimals", #Nat 12),
      ("icrc1:name", #Text(state.name)),
      ("icrc1:symbol", #Text(state.symbol)),
      ("icrc1:fee", #Nat fee),
      ("icrc1:max_memo_length", #Nat(State.memoLength)),
      ("dfn:max_blocks_per_request", #Nat mostBlocks),
      ("cannery:purpose", #Text purpose),
    ];
    switch index {
      case (?id) Array.concat(known, [("icrc106:index_principal", #Text(Principal.toText id))]);
      case null known;
    };
  };

  transient let purpose = "A cycles ledger for development. It belongs to a local network; its cycles are worth nothing elsewhere.";

  public query func icrc1_supported_standards() : async [Token.Standard] { standards() };
  public query func icrc10_supported_standards() : async [Token.Standard] { standards() };

  func standards() : [Token.Standard] {
    let first = "https://github.com/dfinity/ICRC-1/blob/main/standards/";
    let later = "https://github.com/dfinity/ICRC/blob/main/ICRCs/";
    [
      { name = "ICRC-1"; url = first # "ICRC-1/README.md" },
      { name = "ICRC-2"; url = first # "ICRC-2/README.md" },
      { name = "ICRC-3"; url = first # "ICRC-3/README.md" },
      { name = "ICRC-10"; url = later # "ICRC-10/ICRC-10.md" },
      { name = "ICRC-21"; url = "https://github.com/dfinity/wg-identity-authentication/blob/main/topics/ICRC-21/icrc_21_consent_msg.md" },
      { name = "ICRC-103"; url = later # "ICRC-103/ICRC-103.md" },
      { name = "ICRC-106"; url = later # "ICRC-106/ICRC-106.md" },
    ];
  };

  /// What a wallet shows before its owner signs a call. The real ledger says nothing.
  public shared ({ caller }) func icrc21_canister_call_consent_message(request : Consent.Request) : async Consent.Response {
    Consent.answer(state, request, Consent.statement(state, caller, request));
  };

  public query func icrc1_balance_of(account : Types.Account) : async Nat { State.balance(state, valid account) };

  public shared ({ caller }) func icrc1_transfer(args : Token.TransferArgs) : async Token.TransferResult {
    switch (refused([args.to])) { case (?error) #Err error; case null Ledger.transfer(state, now(), caller, args) };
  };

  public shared ({ caller }) func icrc2_approve(args : Token.ApproveArgs) : async Token.ApproveResult {
    switch (refused([args.spender])) { case (?error) #Err error; case null Ledger.approve(state, now(), caller, args) };
  };

  public shared ({ caller }) func icrc2_transfer_from(args : Token.TransferFromArgs) : async Token.TransferFromResult {
    switch (refused([args.from, args.to])) { case (?error) #Err error; case null Ledger.transferFrom(state, now(), caller, args) };
  };

  public query func icrc2_allowance({ account; spender } : Token.AllowanceArgs) : async Token.Allowance {
    State.allowance(state, now(), valid account, valid spender);
  };

  /// The allowances that an owner has given, in the order of the spenders of each of its accounts.
  public query ({ caller }) func icrc103_get_allowances({ from_account; prev_spender; take } : Types.GetAllowancesArgs) : async Types.GetAllowancesResult {
    let from = valid(switch from_account { case (?account) account; case null ({ owner = caller; subaccount = null }) });
    let after = switch prev_spender { case (?account) ?Accounts.key(valid account); case null null };
    let most = switch take { case (?number) Nat.min(number, mostAllowances); case null mostAllowances };
    let found = State.allowancesFrom(state, now(), from, after, most);
    #Ok(Array.map<(Types.Account, Types.Account, Token.Allowance), Types.AllowanceDetail>(
      found,
      func(from_account, to_spender, allowance) = { allowance with from_account; to_spender },
    ));
  };

  public query func icrc106_get_index_principal() : async Types.IndexResult {
    switch index { case (?id) #Ok id; case null #Err(#IndexPrincipalNotSet) };
  };

  public query func icrc3_get_blocks(ranges : [Token.BlockRange]) : async Token.Blocks {
    Log.getAtMost(state.log, ranges, mostBlocks);
  };

  public query func icrc3_get_archives(_ : { from : ?Principal }) : async [{ canister_id : Principal; start : Nat; end : Nat }] { [] };

  public query func icrc3_get_tip_certificate() : async ?Token.TipCertificate { Log.certificate(state.log) };

  public query func icrc3_supported_block_types() : async [{ block_type : Text; url : Text }] {
    let first = "https://github.com/dfinity/ICRC-1/blob/main/standards/ICRC-1/README.md";
    let second = "https://github.com/dfinity/ICRC-1/blob/main/standards/ICRC-2/README.md";
    [
      { block_type = "1burn"; url = first },
      { block_type = "1mint"; url = first },
      { block_type = "1xfer"; url = first },
      { block_type = "2approve"; url = second },
      { block_type = "2xfer"; url = second },
    ];
  };

  public query func http_request(_ : Types.HttpRequest) : async Types.HttpResponse {
    { status_code = 200; headers = [("Content-Type", "text/plain; charset=utf-8")]; body = Text.encodeUtf8 purpose };
  };
};
