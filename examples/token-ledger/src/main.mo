/// A token ledger. Version 1.1.0 tells its standards by ICRC-10, too, says in words what a call does (ICRC-21), and gives
/// figures about itself.

import Int "mo:core/Int";
import List "mo:core/List";
import Map "mo:core/Map";
import Nat64 "mo:core/Nat64";
import Time "mo:core/Time";
import Consent "Consent";
import Log "Log";
import Methods "Methods";
import State "State";
import Types "Types";

// The arguments are needed for the installation only; an upgrade keeps the ledger and takes `null`.
// The type is written out: the compiler gives its name alone to those who ask for the arguments.
persistent actor class TokenLedger(
  init : ?{
    name : Text;
    symbol : Text;
    decimals : Nat8;
    fee : Nat;
    minting_account : ?{ owner : Principal; subaccount : ?Blob };
    initial_balances : [({ owner : Principal; subaccount : ?Blob }, Nat)];
  }
) {
  let state = State.open(init, Nat64.fromNat(Int.abs(Time.now())));
  Log.certify(state.log);

  include Methods(state);

  /// The same list by the way that newer standards ask for it.
  public query func icrc10_supported_standards() : async [Types.Standard] {
    [
      { name = "ICRC-1"; url = "https://github.com/dfinity/ICRC-1" },
      { name = "ICRC-2"; url = "https://github.com/dfinity/ICRC-1/tree/main/standards/ICRC-2" },
      { name = "ICRC-3"; url = "https://github.com/dfinity/ICRC-1/tree/main/standards/ICRC-3" },
      { name = "ICRC-10"; url = "https://github.com/dfinity/ICRC/blob/main/ICRCs/ICRC-10/ICRC-10.md" },
      { name = "ICRC-21"; url = "https://github.com/dfinity/wg-identity-authentication/blob/main/topics/ICRC-21/icrc_21_consent_msg.md" },
    ];
  };

  /// What a wallet shows before its owner signs a call.
  public shared ({ caller }) func icrc21_canister_call_consent_message(request : Consent.Request) : async Consent.Response {
    Consent.answer(state, request, Consent.statement(state, caller, request));
  };

  /// How many accounts have tokens, how many approvals there are, and how many blocks.
  public query func statistics() : async { accounts : Nat; allowances : Nat; blocks : Nat } {
    {
      accounts = Map.size(state.balances);
      allowances = Map.size(state.allowances);
      blocks = List.size(state.log.blocks);
    };
  };
};
