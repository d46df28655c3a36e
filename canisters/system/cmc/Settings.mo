/// Settings of canisters that are created.

import Types "Types";

module {
  let NONE : Types.CanisterSettings = {
    controllers = null;
    compute_allocation = null;
    memory_allocation = null;
    freezing_threshold = null;
    reserved_cycles_limit = null;
    log_visibility = null;
    snapshot_visibility = null;
    wasm_memory_limit = null;
    wasm_memory_threshold = null;
    environment_variables = null;
    log_memory_limit = null;
  };

  /// Those that are wanted; where they name no controllers, `controller` is the one.
  public func of(wanted : ?Types.CanisterSettings, controller : Principal) : Types.CanisterSettings {
    let settings = switch wanted { case (?given) given; case null NONE };
    switch (settings.controllers) {
      case null ({ settings with controllers = ?[controller] });
      case (?_) settings;
    };
  };
};
