/// Version 1.0.0 of the token ledger.

import Int "mo:core/Int";
import Nat64 "mo:core/Nat64";
import Time "mo:core/Time";
import Log "../src/Log";
import Methods "../src/Methods";
import State "../src/State";
import Types "../src/Types";

persistent actor class TokenLedger(init : ?Types.Init) {
  let state = State.open(init, Nat64.fromNat(Int.abs(Time.now())));
  Log.certify(state.log);

  include Methods(state);
};
