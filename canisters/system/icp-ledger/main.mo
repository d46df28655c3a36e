/// An ICP ledger for development: the interface of ryjl3-tyaaa-aaaaa-aaaba-cai on the Internet Computer, written for the
/// embedded network. Its tokens are worth nothing.

import Array "mo:core/Array";
import CertifiedData "mo:core/CertifiedData";
import Int "mo:core/Int";
import List "mo:core/List";
import Nat "mo:core/Nat";
import Nat64 "mo:core/Nat64";
import Runtime "mo:core/Runtime";
import Time "mo:core/Time";
import Accounts "mo:token/Accounts";
import Consent "mo:token/Consent";
import Recent "mo:token/Recent";
import Token "mo:token/Types";
import Blocks "Blocks";
import Identifiers "Identifiers";
import State "State";
import Types "Types";

// The type is written out: the compiler gives its name alone to those who ask for the arguments.
persistent actor class IcpLedger(
  args : {
    #Init : {
      minting_account : Text;
      icrc1_minting_account : ?{ owner : Principal; subaccount : ?Blob };
      initial_values : [(Text, { e8s : Nat64 })];
      max_message_size_bytes : ?Nat64;
      transaction_window : ?{ secs : Nat64; nanos : Nat32 };
      archive_options : ?{
        trigger_threshold : Nat64;
        num_blocks_to_archive : Nat64;
        node_max_memory_size_bytes : ?Nat64;
        max_message_size_bytes : ?Nat64;
        controller_id : Principal;
        more_controller_ids : ?[Principal];
        cycles_for_archive_creation : ?Nat64;
        max_transactions_per_response : ?Nat64;
      };
      send_whitelist : [Principal];
      transfer_fee : ?{ e8s : Nat64 };
      token_symbol : ?Text;
      token_name : ?Text;
      feature_flags : ?{ icrc2 : Bool };
      index_principal : ?Principal;
    };
    #Upgrade : ?{
      icrc1_minting_account : ?{ owner : Principal; subaccount : ?Blob };
      feature_flags : ?{ icrc2 : Bool };
      index_principal : ?Principal;
    };
  }
) {
  transient let mostAllowances : Nat64 = 500;
  transient let purpose = "An ICP ledger for development. It belongs to a local network; its tokens are worth nothing.";

  func now() : Nat64 { Nat64.fromNat(Int.abs(Time.now())) };

  func valid(account : Types.Account) : Types.Account {
    if (not Accounts.isValid account) Runtime.trap("A subaccount has 32 bytes.");
    account;
  };

  func partyOf(account : Types.Account) : Blocks.Party { { id = Identifiers.ofAccount(valid account); account = ?account } };

  func identifier(text : Text) : Types.Identifier {
    let ?id = Identifiers.ofText text else Runtime.trap("This is no account identifier: its length or its checksum is wrong.");
    id;
  };

  func checked(id : Types.Identifier) : Types.Identifier {
    if (not Identifiers.isValid id) Runtime.trap("This is no account identifier: its length or its checksum is wrong.");
    id;
  };

  func opened() : State.State {
    let #Init init = args else Runtime.trap("An installation takes the argument Init.");
    let minter : Blocks.Party = { id = identifier(init.minting_account); account = init.icrc1_minting_account };
    switch (minter.account) {
      case (?account) if (Identifiers.ofAccount(valid account) != minter.id) Runtime.trap("The two minting accounts are not the same.");
      case null {};
    };
    let state = State.open {
      name = switch (init.token_name) { case null "Internet Computer"; case (?name) name };
      symbol = switch (init.token_symbol) { case null "ICP"; case (?symbol) symbol };
      fee = switch (init.transfer_fee) { case null 10_000 : Nat64; case (?{ e8s }) e8s };
      minter;
      index = init.index_principal;
    };
    for ((text, { e8s }) in init.initial_values.values()) {
      let to = { id = identifier text; account = null };
      let minted = State.transfer(
        state,
        now(),
        {
          from = minter;
          to;
          spender = null;
          amount = Nat64.toNat e8s;
          fee = null;
          memo = 0;
          icrc1_memo = null;
          created_at_time = null;
        },
      );
      switch minted {
        case (#Ok _) {};
        case (#Err _) Runtime.trap("The accounts cannot begin with that many tokens.");
      };
    };
    state;
  };

  let state = opened();
  var index = state.index;
  switch args {
    case (#Upgrade(?{ index_principal = ?id })) index := ?id;
    case _ {};
  };
  State.certify state;

  // The older interface, by account identifiers.

  public shared ({ caller }) func transfer(given : Types.TransferArgs) : async Types.TransferResult {
    moved(caller, given, checked(given.to));
  };

  func moved(caller : Principal, { memo; amount; fee; from_subaccount; created_at_time } : Types.TransferArgs, to : Types.Identifier) : Types.TransferResult {
    let result = State.transfer(
      state,
      now(),
      {
        from = partyOf { owner = caller; subaccount = from_subaccount };
        to = { id = to; account = null };
        spender = null;
        amount = Nat64.toNat(amount.e8s);
        fee = ?Nat64.toNat(fee.e8s);
        memo;
        icrc1_memo = null;
        created_at_time = switch created_at_time { case null null; case (?{ timestamp_nanos }) ?timestamp_nanos };
      },
    );
    switch result {
      case (#Ok block) #Ok(Nat64.fromNat block);
      case (#Err(#BadFee { expected_fee })) #Err(#BadFee { expected_fee = { e8s = Nat64.fromNat expected_fee } });
      case (#Err(#InsufficientFunds { balance })) #Err(#InsufficientFunds { balance = { e8s = Nat64.fromNat balance } });
      case (#Err(#TooOld)) #Err(#TxTooOld { allowed_window_nanos = Recent.window });
      case (#Err(#CreatedInFuture _)) #Err(#TxCreatedInFuture);
      case (#Err(#Duplicate { duplicate_of })) #Err(#TxDuplicate { duplicate_of = Nat64.fromNat duplicate_of });
      // The older interface has no words for what else there is.
      case (#Err(#BadBurn { min_burn_amount })) Runtime.trap("At least " # Nat.toText min_burn_amount # " e8s can be burnt.");
      case (#Err(#GenericError { message })) Runtime.trap message;
      case (#Err(#InsufficientAllowance _)) Runtime.trap "An allowance is missing.";
      case (#Err(#TemporarilyUnavailable)) Runtime.trap "The ledger remembers too many transactions at the moment.";
    };
  };

  public shared ({ caller }) func send_dfx(given : Types.SendArgs) : async Nat64 {
    let to = identifier(given.to);
    switch (moved(caller, { given with to }, to)) {
      case (#Ok block) block;
      case (#Err error) Runtime.trap(debug_show error);
    };
  };

  public query func account_balance({ account } : { account : Types.Identifier }) : async Types.Tokens {
    { e8s = State.balance(state, account) };
  };

  public query func account_balance_dfx({ account } : { account : Text }) : async Types.Tokens {
    { e8s = State.balance(state, identifier account) };
  };

  public query func account_identifier(account : Types.Account) : async Types.Identifier { Identifiers.ofAccount(valid account) };
  public query func transfer_fee({}) : async { transfer_fee : Types.Tokens } { { transfer_fee = { e8s = state.fee } } };
  public query func symbol() : async { symbol : Text } { { symbol = state.symbol } };
  public query func name() : async { name : Text } { { name = state.name } };
  public query func decimals() : async { decimals : Nat32 } { { decimals = 8 } };
  public query func archives() : async { archives : [{ canister_id : Principal }] } { { archives = [] } };
  public query func is_ledger_ready() : async Bool { true };

  public query func query_blocks({ start; length } : Types.GetBlocksArgs) : async Types.QueryBlocksResponse {
    {
      chain_length = Nat64.fromNat(List.size(state.blocks));
      certificate = CertifiedData.getCertificate();
      blocks = Array.map<Blocks.Block, Types.Block>(State.range(state, start, length), Blocks.shown);
      first_block_index = start;
      archived_blocks = [];
    };
  };

  public query func query_encoded_blocks({ start; length } : Types.GetBlocksArgs) : async Types.QueryEncodedBlocksResponse {
    {
      chain_length = Nat64.fromNat(List.size(state.blocks));
      certificate = CertifiedData.getCertificate();
      blocks = Array.map<Blocks.Block, Blob>(State.range(state, start, length), Blocks.encode);
      first_block_index = start;
      archived_blocks = [];
    };
  };

  public query func tip_of_chain() : async { certification : ?Blob; tip_index : Nat64 } {
    {
      certification = CertifiedData.getCertificate();
      tip_index = Nat64.fromNat(Nat.max(List.size(state.blocks), 1) - 1);
    };
  };

  public query func get_allowances({ from_account_id; prev_spender_id; take } : Types.GetAllowancesArgs) : async [Types.AllowanceDetail] {
    let after = switch prev_spender_id { case null null; case (?text) ?identifier text };
    let most = switch take { case null mostAllowances; case (?number) Nat64.min(number, mostAllowances) };
    State.allowancesFrom(state, now(), identifier from_account_id, after, Nat64.toNat most);
  };

  public shared ({ caller }) func remove_approval({ from_subaccount; spender; fee } : Types.RemoveApprovalArgs) : async Token.ApproveResult {
    let from : Types.Account = { owner = caller; subaccount = from_subaccount };
    State.approve(
      state,
      now(),
      {
        from = partyOf from;
        spender = { id = checked spender; account = null };
        amount = 0;
        expected_allowance = null;
        expires_at = null;
        fee;
        memo = 0;
        icrc1_memo = null;
        created_at_time = null;
      },
    );
  };

  // ICRC-1, ICRC-2 and ICRC-3.

  public query func icrc1_name() : async Text { state.name };
  public query func icrc1_symbol() : async Text { state.symbol };
  public query func icrc1_decimals() : async Nat8 { 8 };
  public query func icrc1_fee() : async Nat { Nat64.toNat(state.fee) };
  public query func icrc1_total_supply() : async Nat { Nat64.toNat(state.supply) };
  public query func icrc1_minting_account() : async ?Types.Account { state.minter.account };

  public query func icrc1_metadata() : async [(Text, Token.MetadataValue)] {
    [
      ("icrc1:decimals", #Nat 8),
      ("icrc1:name", #Text(state.name)),
      ("icrc1:symbol", #Text(state.symbol)),
      ("icrc1:fee", #Nat(Nat64.toNat(state.fee))),
      ("icrc1:max_memo_length", #Nat(State.memoLength)),
      ("cannery:purpose", #Text purpose),
    ];
  };

  public query func icrc1_supported_standards() : async [Token.Standard] { standards() };
  public query func icrc10_supported_standards() : async [Token.Standard] { standards() };

  func standards() : [Token.Standard] {
    let first = "https://github.com/dfinity/ICRC-1/tree/main/standards/";
    let later = "https://github.com/dfinity/ICRC/blob/main/ICRCs/";
    [
      { name = "ICRC-1"; url = first # "ICRC-1" },
      { name = "ICRC-2"; url = first # "ICRC-2" },
      { name = "ICRC-3"; url = first # "ICRC-3" },
      { name = "ICRC-10"; url = later # "ICRC-10/ICRC-10.md" },
      { name = "ICRC-21"; url = "https://github.com/dfinity/wg-identity-authentication/blob/main/topics/ICRC-21/icrc_21_consent_msg.md" },
    ];
  };

  /// What a wallet shows before its owner signs a call.
  public shared ({ caller }) func icrc21_canister_call_consent_message(request : Consent.Request) : async Consent.Response {
    let token = { name = state.name; symbol = state.symbol; decimals = 8 : Nat8; fee = Nat64.toNat(state.fee) };
    let said = if (request.method == "transfer") olderTransfer(caller, request.arg) else Consent.statement(token, caller, request);
    Consent.answer(token, request, said);
  };

  func olderTransfer(caller : Principal, arg : Blob) : ?Consent.Statement {
    if (arg.size() > Consent.largestArgument) return null;
    let ?args : ?Types.TransferArgs = from_candid arg else return null;
    let from = { owner = caller; subaccount = args.from_subaccount };
    ?{
      intent = "Send " # state.name;
      fields = [
        ("From", Consent.account from),
        ("Amount", #amount(Nat64.toNat(args.amount.e8s))),
        ("To", #code(Identifiers.toText(args.to))),
        ("Fees", #amount(Nat64.toNat(args.fee.e8s))),
        ("Memo", #code(Nat64.toText(args.memo))),
      ];
    };
  };

  public query func icrc1_balance_of(account : Types.Account) : async Nat {
    Nat64.toNat(State.balance(state, Identifiers.ofAccount(valid account)));
  };

  transient let wrongAccount = State.refuse(1, "A subaccount has 32 bytes.");

  public shared ({ caller }) func icrc1_transfer({ from_subaccount; to; amount; fee; memo; created_at_time } : Token.TransferArgs) : async Token.TransferResult {
    let from : Types.Account = { owner = caller; subaccount = from_subaccount };
    if (not (Accounts.isValid from and Accounts.isValid to)) return #Err wrongAccount;
    let result = State.transfer(
      state,
      now(),
      {
        from = partyOf from;
        to = partyOf to;
        spender = null;
        amount;
        fee;
        memo = 0;
        icrc1_memo = memo;
        created_at_time;
      },
    );
    switch result {
      case (#Ok block) #Ok block;
      // Nobody spends for another here.
      case (#Err(#InsufficientAllowance _)) #Err(#TemporarilyUnavailable);
      case (#Err(#BadFee it)) #Err(#BadFee it);
      case (#Err(#BadBurn it)) #Err(#BadBurn it);
      case (#Err(#InsufficientFunds it)) #Err(#InsufficientFunds it);
      case (#Err(#TooOld)) #Err(#TooOld);
      case (#Err(#CreatedInFuture it)) #Err(#CreatedInFuture it);
      case (#Err(#Duplicate it)) #Err(#Duplicate it);
      case (#Err(#TemporarilyUnavailable)) #Err(#TemporarilyUnavailable);
      case (#Err(#GenericError it)) #Err(#GenericError it);
    };
  };

  public shared ({ caller }) func icrc2_transfer_from({ spender_subaccount; from; to; amount; fee; memo; created_at_time } : Token.TransferFromArgs) : async Token.TransferFromResult {
    let spender : Types.Account = { owner = caller; subaccount = spender_subaccount };
    if (not Array.all<Types.Account>([from, to, spender], Accounts.isValid)) return #Err wrongAccount;
    State.transfer(
      state,
      now(),
      {
        from = partyOf from;
        to = partyOf to;
        spender = ?partyOf spender;
        amount;
        fee;
        memo = 0;
        icrc1_memo = memo;
        created_at_time;
      },
    );
  };

  public shared ({ caller }) func icrc2_approve({ from_subaccount; spender; amount; expected_allowance; expires_at; fee; memo; created_at_time } : Token.ApproveArgs) : async Token.ApproveResult {
    let from : Types.Account = { owner = caller; subaccount = from_subaccount };
    if (not (Accounts.isValid from and Accounts.isValid spender)) return #Err wrongAccount;
    if (spender.owner == caller) return #Err(State.refuse(5, "An owner needs no approval to spend."));
    State.approve(
      state,
      now(),
      {
        from = partyOf from;
        spender = partyOf spender;
        amount;
        expected_allowance;
        expires_at;
        fee;
        memo = 0;
        icrc1_memo = memo;
        created_at_time;
      },
    );
  };

  public query func icrc2_allowance({ account; spender } : Token.AllowanceArgs) : async Token.Allowance {
    let found = State.allowance(state, now(), Identifiers.ofAccount(valid account), Identifiers.ofAccount(valid spender));
    { allowance = Nat64.toNat(found.allowance); expires_at = found.expires_at };
  };

  public query func icrc106_get_index_principal() : async Types.IndexResult {
    switch index { case (?id) #Ok id; case null #Err(#IndexPrincipalNotSet) };
  };

  public query func icrc3_get_blocks(ranges : [Token.BlockRange]) : async Token.Blocks { State.values(state, ranges) };
  public query func icrc3_get_archives(_ : { from : ?Principal }) : async [{ canister_id : Principal; start : Nat; end : Nat }] { [] };
  public query func icrc3_get_tip_certificate() : async ?Token.TipCertificate { State.certificate state };

  public query func icrc3_supported_block_types() : async [{ block_type : Text; url : Text }] {
    let first = "https://github.com/dfinity/ICRC-1/tree/main/standards/ICRC-1";
    let second = "https://github.com/dfinity/ICRC-1/tree/main/standards/ICRC-2";
    let kinds = [("1mint", first), ("1burn", first), ("1xfer", first), ("2approve", second), ("2xfer", second)];
    // Of accounts that were named by their identifiers alone.
    let ours = Array.map<(Text, Text), (Text, Text)>(kinds, func(kind, url) = ("icp:" # kind, url));
    Array.map<(Text, Text), { block_type : Text; url : Text }>(Array.concat(kinds, ours), func(block_type, url) = { block_type; url });
  };
};
