/// Version 1.0.0 of the status page.

import Timer "mo:core/Timer";
import Methods "../src/Methods";
import Watch "../src/Watch";

// The type is written out: the compiler gives its name alone to those who ask for the arguments.
persistent actor class StatusPage(init : ?{ title : Text; period_seconds : Nat }) {
  let watch = Watch.open(init);
  Watch.publish watch;

  include Methods(watch);

  // Timers do not outlive an upgrade.
  ignore Timer.recurringTimer<system>(#seconds(watch.period), check);
};
