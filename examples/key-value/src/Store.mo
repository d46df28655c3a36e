/// Collections of values. Each has an owner, and a list of who else may read or write.

import Iter "mo:core/Iter";
import List "mo:core/List";
import Map "mo:core/Map";
import Principal "mo:core/Principal";
import Result "mo:core/Result";
import Text "mo:core/Text";

module {
  public type Access = { #read; #write };
  public type Done = Result.Result<(), Text>;

  type Collection = {
    var owner : Principal;
    /// For everybody, also for callers that are not signed in.
    var isPublic : Bool;
    access : Map.Map<Principal, Access>;
    values : Map.Map<Text, Blob>;
    /// Of keys and values.
    var bytes : Nat;
  };
  public type Store = { collections : Map.Map<Text, Collection> };

  let mostCollections = 1_000;
  let mostListed = 100;
  let mostValues = 10_000;
  /// Characters of a name or a key; bytes of a value, and of all in a collection.
  let nameLength = 100;
  let valueBytes = 1_000_000;
  let collectionBytes = 50_000_000;

  /// The same whether there is no collection or the caller may not know of it.
  let absent = "There is no such collection, or it is not open to you.";

  public func empty() : Store { { collections = Map.empty<Text, Collection>() } };

  func isName(text : Text) : Bool { text != "" and text.size() <= nameLength };

  public func create(store : Store, name : Text, owner : Principal) : Done {
    if (not isName name) return #err("A name has 1 to 100 characters.");
    if (Principal.isAnonymous owner) return #err("The anonymous principal cannot own a collection.");
    if (Map.containsKey(store.collections, Text.compare, name)) return #err("There is a collection of this name.");
    if (Map.size(store.collections) >= mostCollections) return #err("There are 1000 collections, and no room for more.");
    let made : Collection = {
      var owner;
      var isPublic = false;
      access = Map.empty<Principal, Access>();
      values = Map.empty<Text, Blob>();
      var bytes = 0;
    };
    Map.add(store.collections, Text.compare, name, made);
    #ok;
  };

  func mayRead(collection : Collection, caller : Principal) : Bool {
    collection.isPublic or collection.owner == caller or Map.containsKey(collection.access, Principal.compare, caller);
  };

  /// The collection, if the caller may read it.
  func readable(store : Store, caller : Principal, name : Text) : Result.Result<Collection, Text> {
    let ?found = Map.get(store.collections, Text.compare, name) else return #err absent;
    if (mayRead(found, caller)) #ok found else #err absent;
  };

  func writable(store : Store, caller : Principal, name : Text) : Result.Result<Collection, Text> {
    let found = switch (readable(store, caller, name)) { case (#ok found) found; case (#err text) return #err text };
    if (found.owner == caller or Map.get(found.access, Principal.compare, caller) == ?#write) return #ok found;
    #err("You may read this collection, but not write in it.");
  };

  func owned(store : Store, caller : Principal, name : Text) : Result.Result<Collection, Text> {
    let found = switch (readable(store, caller, name)) { case (#ok found) found; case (#err text) return #err text };
    if (found.owner == caller) #ok found else #err("Only the owner of a collection can do this.");
  };

  /// Lets somebody read, or read and write; `null` takes the access away.
  public func grant(store : Store, caller : Principal, name : Text, who : Principal, access : ?Access) : Done {
    let found = switch (owned(store, caller, name)) { case (#ok found) found; case (#err text) return #err text };
    switch access {
      case null Map.remove(found.access, Principal.compare, who);
      case (?granted) {
        if (Principal.isAnonymous who) return #err("Make the collection public to let everybody read it.");
        let isListed = Map.containsKey(found.access, Principal.compare, who);
        if (not isListed and Map.size(found.access) >= mostListed) return #err("The list has 100 entries at most.");
        Map.add(found.access, Principal.compare, who, granted);
      };
    };
    #ok;
  };

  public func publish(store : Store, caller : Principal, name : Text, isPublic : Bool) : Done {
    let found = switch (owned(store, caller, name)) { case (#ok found) found; case (#err text) return #err text };
    found.isPublic := isPublic;
    #ok;
  };

  public func put(store : Store, caller : Principal, name : Text, key : Text, value : Blob) : Done {
    let found = switch (writable(store, caller, name)) { case (#ok found) found; case (#err text) return #err text };
    if (not isName key) return #err("A key has 1 to 100 characters.");
    if (value.size() > valueBytes) return #err("A value has 1000000 bytes at most.");
    let before = sizeOf(found, key);
    if (before == 0 and Map.size(found.values) >= mostValues) return #err("A collection has 10000 values at most.");
    let after = Text.encodeUtf8(key).size() + value.size();
    let bytes = (found.bytes - before : Nat) + after;
    if (bytes > collectionBytes) return #err("A collection has 50000000 bytes at most.");
    Map.add(found.values, Text.compare, key, value);
    found.bytes := bytes;
    #ok;
  };

  /// Bytes of an entry; 0 where there is none, since a key has one at least.
  func sizeOf(collection : Collection, key : Text) : Nat {
    switch (Map.get(collection.values, Text.compare, key)) {
      case (?value) Text.encodeUtf8(key).size() + value.size();
      case null 0;
    };
  };

  public func delete(store : Store, caller : Principal, name : Text, key : Text) : Done {
    let found = switch (writable(store, caller, name)) { case (#ok found) found; case (#err text) return #err text };
    found.bytes -= sizeOf(found, key);
    Map.remove(found.values, Text.compare, key);
    #ok;
  };

  public func get(store : Store, caller : Principal, name : Text, key : Text) : Result.Result<?Blob, Text> {
    switch (readable(store, caller, name)) {
      case (#ok found) #ok(Map.get(found.values, Text.compare, key));
      case (#err text) #err text;
    };
  };

  /// Up to 1,000 keys after a given one, in order.
  public func keys(store : Store, caller : Principal, name : Text, after : Text) : Result.Result<[Text], Text> {
    let found = switch (readable(store, caller, name)) { case (#ok found) found; case (#err text) return #err text };
    let listed = List.empty<Text>();
    for (key in Iter.map<(Text, Blob), Text>(Map.entriesFrom(found.values, Text.compare, after), func(key, _) = key)) {
      if (List.size listed == 1_000) return #ok(List.toArray listed);
      if (key != after) List.add(listed, key);
    };
    #ok(List.toArray listed);
  };
};
