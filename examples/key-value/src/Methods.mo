/// The methods of every version of the store.

import Principal "mo:core/Principal";
import Result "mo:core/Result";
import Store "Store";

mixin(store : Store.Store) {
  /// Makes a collection for an owner. For controllers of the canister.
  public shared ({ caller }) func create(collection : Text, owner : Principal) : async Store.Done {
    if (not Principal.isController caller) return #err("Only a controller of this canister can make collections.");
    Store.create(store, collection, owner);
  };

  /// Lets a principal read, or read and write; `null` takes that away. For the owner of the collection.
  public shared ({ caller }) func grant(collection : Text, who : Principal, access : ?Store.Access) : async Store.Done {
    Store.grant(store, caller, collection, who, access);
  };

  /// Whether everybody may read the collection. For its owner.
  public shared ({ caller }) func publish(collection : Text, is_public : Bool) : async Store.Done {
    Store.publish(store, caller, collection, is_public);
  };

  public shared ({ caller }) func put(collection : Text, key : Text, value : Blob) : async Store.Done {
    Store.put(store, caller, collection, key, value);
  };

  public shared ({ caller }) func delete(collection : Text, key : Text) : async Store.Done {
    Store.delete(store, caller, collection, key);
  };

  /// The value of a key, or `null` where there is none.
  public shared query ({ caller }) func get(collection : Text, key : Text) : async Result.Result<?Blob, Text> {
    Store.get(store, caller, collection, key);
  };
};
