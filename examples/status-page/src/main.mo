/// A status page. In version 1.1.0 a controller can check without waiting for the timer.

import Principal "mo:core/Principal";
import Result "mo:core/Result";
import Timer "mo:core/Timer";
import Methods "Methods";
import Watch "Watch";

// The title and the period are needed for the installation only; an upgrade keeps what is watched and takes `null`.
// The type is written out: the compiler gives its name alone to those who ask for the arguments.
persistent actor class StatusPage(init : ?{ title : Text; period_seconds : Nat }) {
  let watch = Watch.open(init);
  Watch.publish watch;

  include Methods(watch);

  // Timers do not outlive an upgrade.
  ignore Timer.recurringTimer<system>(#seconds(watch.period), check);

  /// Checks at once. For controllers of this canister.
  public shared ({ caller }) func check_now() : async Result.Result<(), Text> {
    if (not Principal.isController caller) return #err("Only a controller of this canister can check at once.");
    await check();
    #ok;
  };
};
