/// Transactions of the last day, so that one that is sent twice happens once (ICRC-1, "Transaction deduplication").

import Blob "mo:core/Blob";
import Map "mo:core/Map";
import Nat64 "mo:core/Nat64";
import Order "mo:core/Order";

module {
  /// The time its sender gave a transaction, and its hash.
  type Key = (createdAt : Nat64, hash : Blob);
  public type Recent = Map.Map<Key, Nat>;

  /// In ns: how long a transaction is remembered, and how far clocks may differ.
  public let window : Nat64 = 86_400_000_000_000;
  public let drift : Nat64 = 120_000_000_000;
  /// More than one can send within a day; then transactions with a time have to wait.
  let most = 500_000;
  /// How many old ones are forgotten for each new one.
  let forgottenAtOnce = 10;

  public func empty() : Recent { Map.empty<Key, Nat>() };

  func compare(a : Key, b : Key) : Order.Order {
    if (a.0 == b.0) Blob.compare(a.1, b.1) else Nat64.compare(a.0, b.0);
  };

  /// Whether a transaction of that time is too old, or of the future.
  public func check(now : Nat64, createdAt : Nat64) : { #fine; #tooOld; #future } {
    // The future first: what is added to a time there may be too much for 64 bits.
    if (createdAt > now + drift) return #future;
    if (createdAt + window + drift < now) return #tooOld;
    #fine;
  };

  public func find(recent : Recent, createdAt : Nat64, hash : Blob) : ?Nat {
    Map.get(recent, compare, (createdAt, hash));
  };

  public func isFull(recent : Recent, now : Nat64) : Bool {
    forget(recent, now);
    Map.size(recent) >= most;
  };

  public func add(recent : Recent, createdAt : Nat64, hash : Blob, index : Nat) {
    Map.add(recent, compare, (createdAt, hash), index);
  };

  func forget(recent : Recent, now : Nat64) {
    var left = forgottenAtOnce;
    while (left > 0) {
      let ?(key, _) = Map.minEntry(recent) else return;
      if (check(now, key.0) != #tooOld) return;
      Map.remove(recent, compare, key);
      left -= 1;
    };
  };
};
