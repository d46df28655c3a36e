/// The methods of ICRC-1, ICRC-2 and ICRC-3, for every version of the ledger to include.

import Int "mo:core/Int";
import Nat64 "mo:core/Nat64";
import Nat8 "mo:core/Nat8";
import Runtime "mo:core/Runtime";
import Time "mo:core/Time";
import Accounts "Accounts";
import Ledger "Ledger";
import Log "Log";
import State "State";
import Types "Types";

mixin(state : State.State) {
  func now() : Nat64 { Nat64.fromNat(Int.abs(Time.now())) };

  func valid(account : Types.Account) : Types.Account {
    if (not Accounts.isValid account) Runtime.trap("A subaccount has 32 bytes.");
    account;
  };

  public query func icrc1_name() : async Text { state.name };
  public query func icrc1_symbol() : async Text { state.symbol };
  public query func icrc1_decimals() : async Nat8 { state.decimals };
  public query func icrc1_fee() : async Nat { state.fee };
  public query func icrc1_total_supply() : async Nat { state.supply };
  public query func icrc1_minting_account() : async ?Types.Account { state.mintingAccount };

  public query func icrc1_metadata() : async [(Text, Types.MetadataValue)] {
    [
      ("icrc1:name", #Text(state.name)),
      ("icrc1:symbol", #Text(state.symbol)),
      ("icrc1:decimals", #Nat(Nat8.toNat(state.decimals))),
      ("icrc1:fee", #Nat(state.fee)),
      ("icrc1:max_memo_length", #Nat(State.memoLength)),
    ];
  };

  public query func icrc1_supported_standards() : async [Types.Standard] {
    [
      { name = "ICRC-1"; url = "https://github.com/dfinity/ICRC-1" },
      { name = "ICRC-2"; url = "https://github.com/dfinity/ICRC-1/tree/main/standards/ICRC-2" },
      { name = "ICRC-3"; url = "https://github.com/dfinity/ICRC-1/tree/main/standards/ICRC-3" },
    ];
  };

  public query func icrc1_balance_of(account : Types.Account) : async Nat {
    State.balance(state, valid account);
  };

  public shared ({ caller }) func icrc1_transfer(args : Types.TransferArgs) : async Types.TransferResult {
    Ledger.transfer(state, now(), caller, args);
  };

  public shared ({ caller }) func icrc2_approve(args : Types.ApproveArgs) : async Types.ApproveResult {
    Ledger.approve(state, now(), caller, args);
  };

  public shared ({ caller }) func icrc2_transfer_from(args : Types.TransferFromArgs) : async Types.TransferFromResult {
    Ledger.transferFrom(state, now(), caller, args);
  };

  public query func icrc2_allowance({ account; spender } : Types.AllowanceArgs) : async Types.Allowance {
    State.allowance(state, now(), valid account, valid spender);
  };

  public query func icrc3_get_blocks(ranges : [Types.BlockRange]) : async Types.Blocks {
    Log.get(state.log, ranges);
  };

  public query func icrc3_get_archives(_ : { from : ?Principal }) : async [{ canister_id : Principal; start : Nat; end : Nat }] {
    [];
  };

  public query func icrc3_get_tip_certificate() : async ?Types.TipCertificate {
    Log.certificate(state.log);
  };

  public query func icrc3_supported_block_types() : async [{ block_type : Text; url : Text }] {
    let first = "https://github.com/dfinity/ICRC-1/tree/main/standards/ICRC-1";
    let second = "https://github.com/dfinity/ICRC-1/tree/main/standards/ICRC-2";
    [
      { block_type = "1mint"; url = first },
      { block_type = "1burn"; url = first },
      { block_type = "1xfer"; url = first },
      { block_type = "2approve"; url = second },
      { block_type = "2xfer"; url = second },
      { block_type = "2burn"; url = second },
    ];
  };
};
