/// A file drop. Version 1.1.0 says how much room is left.

import Drop "Drop";
import Methods "Methods";

persistent actor FileDrop {
  let drop = Drop.empty();
  Drop.publish drop;

  include Methods(drop);

  /// Bytes of all files, and how many more fit.
  public query func room() : async { used : Nat; left : Nat } {
    Drop.room drop;
  };
};
