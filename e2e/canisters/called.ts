/** Tells who calls, lets only controllers in, and answers long values. */
export const calledSource = `
import Principal "mo:core/Principal";
import Runtime "mo:core/Runtime";
persistent actor {
  type Entry = { name : Text; size : Nat; tags : [Text]; note : ?Text };
  var notes : [Entry] = [];
  public query ({ caller }) func whoami() : async Principal { caller };
  /// Keeps an entry. Only a controller may do that.
  public shared ({ caller }) func keep(entry : Entry) : async Nat {
    if (not Principal.isController(caller)) Runtime.trap("only a controller may keep entries");
    notes := [entry];
    notes.size();
  };
  public query func list() : async [Entry] { notes };
  public query func greet(name : Text) : async Text { "Hello, " # name };
  public func tell(_ : Text) : () {};
};`;
