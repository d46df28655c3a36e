/// Version 1.0.0 of the status page.

import Timer "mo:core/Timer";
import Methods "../src/Methods";
import Watch "../src/Watch";

persistent actor class StatusPage(init : ?Watch.Init) {
  let watch = Watch.open(init);
  Watch.publish watch;

  include Methods(watch);

  // Timers do not outlive an upgrade.
  ignore Timer.recurringTimer<system>(#seconds(watch.period), check);
};
