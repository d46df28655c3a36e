/// A counter. Everybody may call it; it remembers its number for as long as the canister lives.

import Nat "mo:core/Nat";

// `persistent` means: variables keep their values when the canister is upgraded to a new version of this program.
persistent actor Counter {

  // The state of the canister. A `Nat` is a whole number of any size, never negative.
  var count : Nat = 0;

  // Update calls change state. They go through consensus, so an answer takes a moment and is certain.
  public func inc() : async Nat {
    count += 1;
    count
  };

  public func add(amount : Nat) : async Nat {
    count += amount;
    count
  };

  // Query calls only read. They are answered at once by a single machine and change nothing.
  public query func get() : async Nat {
    count
  };

  public query func describe() : async Text {
    "The counter stands at " # Nat.toText(count) # "."
  };
};
