/// The methods of every version of the status page, and its timer.

import Error "mo:core/Error";
import List "mo:core/List";
import Nat16 "mo:core/Nat16";
import Principal "mo:core/Principal";
import Result "mo:core/Result";
import Text "mo:core/Text";
import Time "mo:core/Time";
import Site "mo:certified/Site";
import Watch "Watch";

mixin(watch : Watch.Watch) {
  type Watched = actor { http_request : shared query Watch.Asked -> async Watch.Answer };

  /// Seconds until a canister that does not answer counts as down.
  transient let patience : Nat32 = 20;
  /// A round that is still waiting is not joined by another.
  transient var checking = false;

  /// Asks every canister, all at a time, and writes the page.
  func check() : async () {
    if (checking) return;
    checking := true;
    let calls = List.empty<(Watch.Target, async Watch.Answer)>();
    for (target in List.values(watch.targets)) {
      let watched = actor (Principal.toText(target.canister)) : Watched;
      List.add(calls, (target, (with timeout = patience) watched.http_request(Watch.question())));
    };
    for ((target, call) in List.values(calls)) {
      try {
        let answer = await call;
        Watch.note(target, Watch.isUp answer, "status " # Nat16.toText(answer.status_code));
      } catch (error) {
        Watch.note(target, false, reason(Error.message error));
      };
    };
    watch.checked := ?Time.now();
    checking := false;
    Watch.publish watch;
  };

  /// The beginning of a message, which a watched canister may have written.
  func reason(message : Text) : Text {
    var text = "";
    var length = 0;
    for (char in message.chars()) {
      if (length == 200) return text;
      text #= Text.fromChar char;
      length += 1;
    };
    text;
  };

  public query func http_request(request : Site.Request) : async Site.Response {
    Site.answer(watch.site, request.url);
  };

  /// Watches a canister that serves pages. For controllers of this canister.
  public shared ({ caller }) func add(name : Text, canister : Principal) : async Result.Result<(), Text> {
    if (not Principal.isController caller) return #err("Only a controller of this canister can change what is watched.");
    Watch.add(watch, name, canister);
  };

  /// Stops watching, and answers whether it was watched. For controllers of this canister.
  public shared ({ caller }) func remove(name : Text) : async Bool {
    Principal.isController caller and Watch.remove(watch, name);
  };

  public query func statuses() : async [Watch.Status] {
    Watch.statuses watch;
  };
};
