/// Version 1.0.0 of the file drop.

import Drop "../src/Drop";
import Methods "../src/Methods";

persistent actor FileDrop {
  let drop = Drop.empty();
  Drop.publish drop;

  include Methods(drop);
};
