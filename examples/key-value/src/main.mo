/// A key-value store. Version 1.1.0 lists keys.

import Result "mo:core/Result";
import Methods "Methods";
import Store "Store";

persistent actor KeyValue {
  let store = Store.empty();

  include Methods(store);

  /// Up to 1,000 keys in order, from the one after `after` on; `""` for the first.
  public shared query ({ caller }) func keys(collection : Text, after : Text) : async Result.Result<[Text], Text> {
    Store.keys(store, caller, collection, after);
  };
};
