/** Motoko sources of the canisters the engine tests run. */

export const COUNTER = `
persistent actor Counter {
  var count : Nat = 0;
  public func inc() : async Nat { count += 1; count };
  public func add(n : Nat) : async Nat { count += n; count };
  public query func get() : async Nat { count };
  public func boom() : async () { count += 100; assert false };
}`;

/** An upgrade of \`COUNTER\` that also shows another method. */
export const COUNTER_TWO = `
persistent actor Counter {
  var count : Nat = 0;
  public func inc() : async Nat { count += 10; count };
  public query func get() : async Nat { count };
  public query func version() : async Nat { 2 };
}`;

/** An upgrade of \`COUNTER\` that traps while it starts. */
export const COUNTER_BROKEN = `
import Runtime "mo:core/Runtime";
persistent actor Counter {
  var count : Nat = 0;
  count += 1000;
  public query func get() : async Nat { count };
  if (count > 0) Runtime.trap("no start");
}`;

export const CALLEE = `
import Cycles "mo:core/Cycles";
import Runtime "mo:core/Runtime";
import Error "mo:core/Error";
persistent actor Callee {
  var seen : Nat = 0;
  public func double(n : Nat) : async Nat { seen += 1; n * 2 };
  public func fail() : async Nat { seen += 1; Runtime.trap("callee gave up") };
  public func refuse() : async Nat { throw Error.reject("not today") };
  public func take(most : Nat) : async Nat { Cycles.accept<system>(most) };
  public query func count() : async Nat { seen };
  var released = false;
  public func hold() : async () { while (not released) { await idle() } };
  public func idle() : async () {};
  public func release() : async () { released := true };
}`;

export const CALLER = `
import Cycles "mo:core/Cycles";
import Error "mo:core/Error";
import Runtime "mo:core/Runtime";
import Timer "mo:core/Timer";
import Principal "mo:core/Principal";
import Debug "mo:core/Debug";
import List "mo:core/List";
persistent actor class Caller(peer : Principal) {
  type Callee = actor {
    double : Nat -> async Nat; fail : () -> async Nat; refuse : () -> async Nat; take : Nat -> async Nat;
    missing : () -> async (); hold : () -> async ();
  };
  transient let callee = actor (Principal.toText(peer)) : Callee;
  var ticks : Nat = 0;
  var mark : Nat = 0;
  public func twice(n : Nat) : async Nat { await callee.double(n) };
  public func tryFail() : async Text {
    mark += 1;
    try { ignore await callee.fail(); "no error" } catch (e) { Error.message(e) };
  };
  public func tryRefuse() : async Text { try { ignore await callee.refuse(); "no error" } catch (e) { Error.message(e) } };
  public func tryMissing() : async Text { try { await callee.missing(); "no error" } catch (e) { Error.message(e) } };
  public func trapAfterAwait() : async () {
    mark += 1;
    ignore await callee.double(1);
    mark += 100;
    Runtime.trap("after await");
  };
  public query func marks() : async Nat { mark };
  public func pay(sent : Nat, most : Nat) : async (Nat, Nat) {
    let taken = await (with cycles = sent) callee.take(most);
    (taken, Cycles.refunded());
  };
  public func own(n : Nat) : async Nat { n + 1 };
  public func selfCall(n : Nat) : async Nat { await own(n) };
  public func parallel(n : Nat) : async Nat {
    let calls = List.empty<async Nat>();
    var next = 0;
    while (next < n) { List.add(calls, callee.double(next)); next += 1 };
    var sum = 0;
    for (call in List.values(calls)) { sum += await call };
    sum;
  };
  public func startTimer(seconds : Nat) : async () { ignore Timer.setTimer<system>(#seconds seconds, func() : async () { ticks += 1 }) };
  public query func ticked() : async Nat { ticks };
  public func say(t : Text) : async () { Debug.print(t) };
  public func waitForPeer() : async () { await callee.hold() };
  public func bump() : async () { mark += 1 };
};`;

/** Creates a canister with cycles, installs nothing in it, reads its status, tops it up, stops and deletes it. */
export const FACTORY = `
import Cycles "mo:core/Cycles";
persistent actor Factory {
  type Id = { canister_id : Principal };
  transient let ic = actor "aaaaa-aa" : actor {
    create_canister : { settings : ?{ freezing_threshold : ?Nat } } -> async Id;
    canister_status : Id -> async { cycles : Nat; status : { #running; #stopping; #stopped } };
    deposit_cycles : Id -> async ();
    stop_canister : Id -> async ();
    delete_canister : Id -> async ();
    raw_rand : () -> async Blob;
  };
  public func roundTrip() : async (Nat, Nat, Nat) {
    let id = await (with cycles = 1_000_000_000_123) ic.create_canister({ settings = ?{ freezing_threshold = ?9 } });
    let made = (await ic.canister_status(id)).cycles;
    await (with cycles = 7) ic.deposit_cycles(id);
    let topped = (await ic.canister_status(id)).cycles;
    await ic.stop_canister(id);
    await ic.delete_canister(id);
    let refund = Cycles.refunded();
    (made, topped, refund);
  };
  public func random() : async Nat { (await ic.raw_rand()).size() };
}`;

/** Counts its heartbeats. */
export const HEARTBEAT = `
persistent actor Classes {
  var beats : Nat = 0;
  system func heartbeat() : async () { beats += 1 };
  public query func beaten() : async Nat { beats };
}`;
