/// Version 1.0.0 of the token ledger.

import Int "mo:core/Int";
import Nat64 "mo:core/Nat64";
import Time "mo:core/Time";
import Log "../src/Log";
import Methods "../src/Methods";
import State "../src/State";

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
};
