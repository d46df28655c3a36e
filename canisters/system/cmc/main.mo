/// The cycles minting canister of a local network. A stand-in for development: its interface is that of the Internet Computer's, its
/// rate stands still, and the cycles it gives for ICP are a stock that the network gave it when it was created.

import Blob "mo:core/Blob";
import CertifiedData "mo:core/CertifiedData";
import Cycles "mo:core/Cycles";
import Debug "mo:core/Debug";
import Error "mo:core/Error";
import Map "mo:core/Map";
import Nat "mo:core/Nat";
import Nat64 "mo:core/Nat64";
import Principal "mo:core/Principal";
import Runtime "mo:core/Runtime";
import Text "mo:core/Text";
import Time "mo:core/Time";
import HashTree "mo:certified/HashTree";
import Payments "Payments";
import Settings "Settings";
import Types "Types";

persistent actor class CyclesMintingCanister(init : ?Types.Payload) = self {
  type NotifyError = Types.NotifyError;

  /// What became of a payment. Whoever asks again hears the same.
  type Outcome = {
    #processing;
    #toppedUp : Types.NotifyTopUpResult;
    #created : Types.NotifyCreateCanisterResult;
    #minted : Types.NotifyMintCyclesResult;
    #returned : NotifyError;
  };

  /// 10,000ths of XDR for one ICP, and so cycles for one e8 (10^12 cycles are one XDR).
  transient let XDR_PERMYRIAD_PER_ICP : Nat64 = 35_200;
  /// Fees of the ICP ledger that stay behind when a payment goes back, by what it was for.
  transient let TOP_UP_REFUND_FEES : Nat64 = 2;
  transient let CREATE_REFUND_FEES : Nat64 = 4;
  transient let MINT_REFUND_FEES : Nat64 = 2;
  /// Payments whose outcome is kept, and how many are forgotten at once when there are more.
  transient let MOST_OUTCOMES = 1_000_000;
  transient let FORGOTTEN_AT_ONCE = 100_000;
  /// Cycles that a bad request for a canister costs, and the fewest that come with one.
  transient let BAD_REQUEST_CYCLES = 100_000_000;
  transient let FEWEST_CYCLES = 100_000_000_000;
  /// `error_code` of `Other`: the ledger did not give the block; a refund failed.
  transient let NO_BLOCK : Nat64 = 1;
  transient let NO_REFUND : Nat64 = 2;
  transient let NOT_AUTHORIZED : Nat64 = 5;

  func given<T>(field : Types.Payload -> ?T) : ?T {
    switch init { case (?payload) field(payload); case null null };
  };
  func principal(id : ?Principal, default : Text) : Principal {
    switch id { case (?known) known; case null Principal.fromText(default) };
  };

  let governance : ?Principal = given<Principal>(func payload = payload.governance_canister_id);
  let ledgerId = principal(given<Principal>(func payload = payload.ledger_canister_id), "ryjl3-tyaaa-aaaaa-aaaba-cai");
  let cyclesLedgerId = principal(
    given<Principal>(func payload = payload.cycles_ledger_canister_id),
    "um5iw-rqaaa-aaaaq-qaaba-cai",
  );
  transient let ledger : Types.Ledger = actor (Principal.toText(ledgerId));
  transient let cyclesLedger : Types.CyclesLedger = actor (Principal.toText(cyclesLedgerId));
  transient let management : Types.Management = actor "aaaaa-aa";

  let outcomes = Map.empty<Nat64, Outcome>();
  /// Blocks up to this one may have been forgotten.
  var lastForgotten : ?Nat64 = given<Nat64>(func payload = payload.last_purged_notification);
  var subnets : [Principal] = switch (given<[Principal]>(func payload = payload.subnets)) { case (?list) list; case null [] };
  let rate : Types.IcpXdrConversionRate = {
    timestamp_seconds = Nat64.fromNat(Nat.fromInt(Time.now()) / 1_000_000_000);
    xdr_permyriad_per_icp = XDR_PERMYRIAD_PER_ICP;
  };

  transient let rateTree : HashTree.Node = #level(HashTree.level([
    ("ICP_XDR_CONVERSION_RATE" : Blob, #leaf(to_candid (rate))),
    ("AVERAGE_ICP_XDR_CONVERSION_RATE" : Blob, #leaf(to_candid (rate))),
  ]));
  CertifiedData.set(HashTree.hash(rateTree));

  // Payments

  func accountOf(id : Principal) : Blob = Principal.toLedgerAccount(Principal.fromActor(self), ?Payments.subaccountOf(id));

  func other(code : Nat64, message : Text) : NotifyError = #Other { error_code = code; error_message = message };

  /// Takes a block for the one call that works on it until it puts down an outcome or `release`s it. Nothing is awaited in here: two
  /// calls about a block cannot both get past it.
  func claim(block : Nat64) : { #claimed; #known : Outcome; #tooOld : Nat64 } {
    switch (Map.get(outcomes, Nat64.compare, block)) {
      case (?outcome) return #known outcome;
      case null {};
    };
    switch lastForgotten {
      case (?last) if (block <= last) return #tooOld(last + 1);
      case null {};
    };
    Map.add(outcomes, Nat64.compare, block, #processing);
    #claimed;
  };

  func release(block : Nat64) = Map.remove(outcomes, Nat64.compare, block);

  func finish(block : Nat64, outcome : Outcome) {
    Map.add(outcomes, Nat64.compare, block, outcome);
    if (Map.size(outcomes) <= MOST_OUTCOMES) return;
    var count = 0;
    while (count < FORGOTTEN_AT_ONCE) {
      switch (Map.minEntry(outcomes)) {
        // A payment under way, and what follows it, stays.
        case (?(_, #processing)) return;
        case (?(oldest, _)) {
          release(oldest);
          lastForgotten := ?oldest;
        };
        case null return;
      };
      count += 1;
    };
  };

  /// The payment in a block that this call has claimed; with an error the claim is gone, or the payment is on its way back.
  func payment(block : Nat64, payer : Principal, purpose : Payments.Purpose) : async* {
    #ok : Payments.Payment;
    #err : NotifyError;
  } {
    let answer = try (await ledger.query_blocks { start = block; length = 1 }) catch error {
      release(block);
      return #err(other(NO_BLOCK, "The ledger did not give block " # Nat64.toText(block) # ": " # Error.message(error)));
    };
    if (answer.blocks.size() != 1) {
      release(block);
      return #err(other(NO_BLOCK, "Block " # Nat64.toText(block) # " not found"));
    };
    switch (Payments.read(answer.blocks[0], accountOf(payer))) {
      case (#err reason) {
        release(block);
        #err(#InvalidTransaction reason);
      };
      case (#ok found) switch (found.purpose) {
        case (?known) {
          if (known == purpose) return #ok found;
          release(block);
          #err(#InvalidTransaction("Intent in the block (" # Nat64.toText(found.memo) # ") different than in the notification"));
        };
        // Nobody could ever do anything with it.
        case null {
          let refund = await* giveBack(payer, found, 0, "Memo (" # Nat64.toText(found.memo) # ") in the incoming ICP transfer does not correspond to any of the operations that the cycles minting canister offers");
          finish(block, #returned refund);
          #err refund;
        };
      };
    };
  };

  /// Sends a payment back to where it came from, without the ledger's fee and `fees` more that are burned.
  func giveBack(payer : Principal, { from; amount } : Payments.Payment, fees : Nat64, reason : Text) : async* NotifyError {
    let kept = fees * Payments.FEE;
    if (amount <= kept + Payments.FEE) {
      await* burn(payer, amount);
      return #Refunded { reason; block_index = null };
    };
    let result = try (
      await ledger.transfer {
        memo = 0;
        amount = { e8s = amount - kept - Payments.FEE };
        fee = { e8s = Payments.FEE };
        from_subaccount = ?Payments.subaccountOf(payer);
        to = from;
        created_at_time = null;
      }
    ) catch error return other(NO_REFUND, "The refund failed: " # Error.message(error));
    switch result {
      case (#Ok index) {
        if (kept > 0) await* burn(payer, kept);
        #Refunded { reason; block_index = ?index };
      };
      case (#Err error) other(NO_REFUND, "The refund failed: " # debug_show error);
    };
  };

  /// Burns what was paid, after the cycles for it were given. What cannot be burned stays on the account of this canister.
  func burn(payer : Principal, amount : Nat64) : async* () {
    try {
      let ?{ owner; subaccount } = await ledger.icrc1_minting_account() else Runtime.trap("The ledger has no minting account");
      let result = await ledger.transfer {
        memo = 0;
        amount = { e8s = amount };
        fee = { e8s = 0 };
        from_subaccount = ?Payments.subaccountOf(payer);
        to = Principal.toLedgerAccount(owner, subaccount);
        created_at_time = null;
      };
      switch result {
        case (#Ok _) {};
        case (#Err error) Debug.print("A payment was not burned: " # debug_show error);
      };
    } catch error Debug.print("A payment was not burned: " # Error.message(error));
  };

  func cyclesFor({ amount } : Payments.Payment) : Nat = Nat64.toNat(amount) * Nat64.toNat(XDR_PERMYRIAD_PER_ICP);

  func isOther(block : Nat64, did : Text) : NotifyError = #InvalidTransaction("Block " # Nat64.toText(block) # " was already processed: " # did);

  /// What a call about a block hears that another one works on, or has finished for another purpose.
  func heard(block : Nat64, outcome : Outcome) : NotifyError {
    switch outcome {
      case (#processing) #Processing;
      case (#toppedUp _) isOther(block, "a canister was topped up");
      case (#created _) isOther(block, "a canister was created");
      case (#minted _) isOther(block, "cycles were minted");
      case (#returned error) error;
    };
  };

  // Methods

  public shared func notify_top_up({ block_index; canister_id } : Types.NotifyTopUpArg) : async Types.NotifyTopUpResult {
    switch (claim block_index) {
      case (#known(#toppedUp result)) return result;
      case (#known outcome) return #Err(heard(block_index, outcome));
      case (#tooOld oldest) return #Err(#TransactionTooOld oldest);
      case (#claimed) {};
    };
    let paid = switch (await* payment(block_index, canister_id, #topUp)) {
      case (#ok found) found;
      case (#err error) return #Err error;
    };
    let cycles = cyclesFor paid;
    let failure : ?Text = try {
      await (with cycles) management.deposit_cycles { canister_id };
      null;
    } catch error ?Error.message(error);
    switch failure {
      case null {
        let result = #Ok cycles;
        finish(block_index, #toppedUp result);
        await* burn(canister_id, paid.amount);
        result;
      };
      case (?reason) {
        let result = #Err(await* giveBack(canister_id, paid, TOP_UP_REFUND_FEES, reason));
        finish(block_index, #toppedUp result);
        result;
      };
    };
  };

  public shared ({ caller }) func notify_create_canister(arg : Types.NotifyCreateCanisterArg) : async Types.NotifyCreateCanisterResult {
    let { block_index; controller } = arg;
    if (caller != controller) return #Err(other(NOT_AUTHORIZED, "Only the controller " # Principal.toText(controller) # " may notify of this payment"));
    switch (claim block_index) {
      case (#known(#created result)) return result;
      case (#known outcome) return #Err(heard(block_index, outcome));
      case (#tooOld oldest) return #Err(#TransactionTooOld oldest);
      case (#claimed) {};
    };
    let paid = switch (await* payment(block_index, controller, #create)) {
      case (#ok found) found;
      case (#err error) return #Err error;
    };
    switch (await* create(controller, arg.settings, selected(arg.subnet_type, arg.subnet_selection), cyclesFor paid)) {
      case (#ok id) {
        let result = #Ok id;
        finish(block_index, #created result);
        await* burn(controller, paid.amount);
        result;
      };
      case (#err reason) {
        let result = #Err(await* giveBack(controller, paid, CREATE_REFUND_FEES, reason));
        finish(block_index, #created result);
        result;
      };
    };
  };

  public shared ({ caller }) func notify_mint_cycles({ block_index; to_subaccount; deposit_memo } : Types.NotifyMintCyclesArg) : async Types.NotifyMintCyclesResult {
    switch to_subaccount {
      case (?bytes) if (bytes.size() != 32) return #Err(other(NOT_AUTHORIZED, "A subaccount has 32 bytes"));
      case null {};
    };
    switch (claim block_index) {
      case (#known(#minted result)) return result;
      case (#known outcome) return #Err(heard(block_index, outcome));
      case (#tooOld oldest) return #Err(#TransactionTooOld oldest);
      case (#claimed) {};
    };
    let paid = switch (await* payment(block_index, caller, #mint)) {
      case (#ok found) found;
      case (#err error) return #Err error;
    };
    let cycles = cyclesFor paid;
    let deposited : { #ok : { block_index : Nat; balance : Nat }; #err : Text } = try {
      #ok(await (with cycles) cyclesLedger.deposit { to = { owner = caller; subaccount = to_subaccount }; memo = deposit_memo });
    } catch error #err(Error.message(error));
    switch deposited {
      case (#ok { block_index = depositBlock; balance }) {
        let result = #Ok { block_index = depositBlock; minted = cycles; balance };
        finish(block_index, #minted result);
        await* burn(caller, paid.amount);
        result;
      };
      case (#err reason) {
        let result = #Err(await* giveBack(caller, paid, MINT_REFUND_FEES, reason));
        finish(block_index, #minted result);
        result;
      };
    };
  };

  public shared ({ caller }) func create_canister({ settings; subnet_type; subnet_selection } : Types.CreateCanisterArg) : async Types.CreateCanisterResult {
    let cycles = Cycles.available();
    func refused<system>(reason : Text) : Types.CreateCanisterResult {
      let kept = Cycles.accept<system>(Nat.min(BAD_REQUEST_CYCLES, cycles));
      #Err(#Refunded { refund_amount = Nat.fromInt(cycles - kept); create_error = reason });
    };
    if (cycles < FEWEST_CYCLES) return refused<system>("Insufficient cycles attached.");
    // The canister gets cycles of the stock, and those that came go there when it is made: until then they are the caller's.
    switch (await* create(caller, settings, selected(subnet_type, subnet_selection), cycles)) {
      case (#ok id) {
        ignore Cycles.accept<system>(cycles);
        #Ok id;
      };
      case (#err reason) refused<system>(reason);
    };
  };

  /// Why there is no such subnet here, if there is none. All canisters are on one.
  func selected(subnetType : ?Text, selection : ?Types.SubnetSelection) : ?Text {
    let wanted = switch (subnetType, selection) {
      case (?_, ?_) return ?"subnet_selection and subnet_type cannot both be given";
      case (?name, null) ?name;
      case (null, ?#Filter { subnet_type }) subnet_type;
      case (null, ?#Subnet { subnet }) {
        for (known in subnets.values()) if (known == subnet) return null;
        return ?("Subnet " # Principal.toText(subnet) # " does not exist or is not available to you");
      };
      case (null, null) null;
    };
    switch wanted {
      case null null;
      case (?name) ?("Provided subnet type " # name # " does not exist");
    };
  };

  func create(controller : Principal, wanted : ?Types.CanisterSettings, refusal : ?Text, cycles : Nat) : async* {
    #ok : Principal;
    #err : Text;
  } {
    switch refusal { case (?reason) return #err reason; case null {} };
    try {
      let { canister_id } = await (with cycles) management.create_canister { settings = ?Settings.of(wanted, controller) };
      #ok canister_id;
    } catch error #err(Error.message(error));
  };

  public query func get_icp_xdr_conversion_rate() : async Types.IcpXdrConversionRateResponse {
    let ?certificate = CertifiedData.getCertificate() else Runtime.trap("There is a certificate in queries only");
    let paths : [HashTree.Path] = [["ICP_XDR_CONVERSION_RATE"], ["AVERAGE_ICP_XDR_CONVERSION_RATE"]];
    { data = rate; hash_tree = HashTree.encode(HashTree.reveal(rateTree, paths)); certificate };
  };

  public query func get_subnet_types_to_subnets() : async { data : [(Text, [Principal])] } { { data = [] } };

  public query func get_principals_authorized_to_create_canisters_to_subnets() : async {
    data : [(Principal, [Principal])];
  } { { data = [] } };

  public query func get_default_subnets() : async [Principal] { subnets };

  public query func get_build_metadata() : async Text {
    "Cycles minting canister of a local network: a stand-in for development, not that of the Internet Computer";
  };

  /// Only the network itself, which installed this canister.
  func requireGovernance(caller : Principal) {
    if (?caller != governance) Runtime.trap("Only the governance canister can call this method");
  };

  public shared ({ caller }) func set_authorized_subnetwork_list({ who; subnets = given } : { who : ?Principal; subnets : [Principal] }) : async () {
    requireGovernance caller;
    if (who != null) Runtime.trap("This network has one list of subnets, for all");
    subnets := given;
  };

  public shared ({ caller }) func update_subnet_type(_ : { #Add : Text; #Remove : Text }) : async () {
    requireGovernance caller;
    Runtime.trap("This network has no types of subnets");
  };

  public shared ({ caller }) func change_subnet_type_assignment(_ : { #Add : Types.SubnetListWithType; #Remove : Types.SubnetListWithType }) : async () {
    requireGovernance caller;
    Runtime.trap("This network has no types of subnets");
  };
};
