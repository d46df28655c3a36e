/// The canisters that are watched, what they answered, and the page that tells.

import Array "mo:core/Array";
import Float "mo:core/Float";
import List "mo:core/List";
import Nat "mo:core/Nat";
import Principal "mo:core/Principal";
import Result "mo:core/Result";
import Text "mo:core/Text";
import Dates "mo:certified/Dates";
import Html "mo:certified/Html";
import Site "mo:certified/Site";

module {
  public type Init = { title : Text; period_seconds : Nat };
  public type Target = {
    name : Text;
    canister : Principal;
    /// Whether it answered, for each of the latest checks.
    var history : List.List<Bool>;
    /// What the latest check found.
    var found : Text;
  };
  public type Watch = {
    title : Text;
    period : Nat;
    var targets : List.List<Target>;
    var checked : ?Int;
    site : Site.Site;
  };
  public type Status = { name : Text; canister : Principal; up : ?Bool; found : Text; uptime_percent : Float };

  /// The part of an answer that counts.
  public type Answer = { status_code : Nat16 };
  public type Asked = {
    method : Text;
    url : Text;
    headers : [Site.Header];
    body : Blob;
    certificate_version : ?Nat16;
  };

  let mostTargets = 20;
  let nameLength = 60;
  let titleLength = 100;
  /// Checks that the page shows.
  let kept = 60;
  /// In seconds: each check costs cycles, and a day is the longest that says anything.
  let shortest = 10;
  let longest = 86_400;
  let usual = 60;

  public func open(init : ?Init) : Watch {
    let { title; period_seconds } : Init = switch init {
      case (?given) given;
      case null { { title = "Status"; period_seconds = usual } };
    };
    {
      title = if (title == "" or title.size() > titleLength) "Status" else title;
      period = Nat.max(shortest, Nat.min(longest, period_seconds));
      var targets = List.empty<Target>();
      var checked = null;
      site = Site.empty();
    };
  };

  public func add(watch : Watch, name : Text, canister : Principal) : Result.Result<(), Text> {
    if (name == "" or name.size() > nameLength) return #err("A name has 1 to 60 characters.");
    if (List.size(watch.targets) >= mostTargets) return #err("20 canisters can be watched.");
    if (List.any<Target>(watch.targets, func target = target.name == name)) return #err("This name is taken.");
    List.add<Target>(watch.targets, { name; canister; var history = List.empty<Bool>(); var found = "not checked yet" });
    publish watch;
    #ok;
  };

  public func remove(watch : Watch, name : Text) : Bool {
    let left = List.filter<Target>(watch.targets, func target = target.name != name);
    let found = List.size left < List.size(watch.targets);
    watch.targets := left;
    publish watch;
    found;
  };

  /// What a watched canister is asked for: its first page, as a gateway asks.
  public func question() : Asked {
    { method = "GET"; url = "/"; headers = []; body = ""; certificate_version = ?2 };
  };

  /// Whether an answer means that the canister works.
  public func isUp({ status_code } : Answer) : Bool { status_code < 500 };

  public func note(target : Target, up : Bool, found : Text) {
    List.add(target.history, up);
    let size = List.size(target.history);
    if (size > kept) target.history := List.fromIter(List.range(target.history, size - kept : Nat, size));
    target.found := found;
  };

  public func statuses(watch : Watch) : [Status] {
    Array.map<Target, Status>(
      List.toArray(watch.targets),
      func target = {
        name = target.name;
        canister = target.canister;
        up = List.last(target.history);
        found = target.found;
        uptime_percent = uptime(target.history);
      },
    );
  };

  func uptime(history : List.List<Bool>) : Float {
    let size = List.size history;
    if (size == 0) return 0;
    let ups = List.size(List.filter<Bool>(history, func up = up));
    Float.fromInt(ups) * 100 / Float.fromInt(size);
  };

  /// Writes the page and certifies it.
  public func publish(watch : Watch) {
    Site.put(watch.site, "/", 200, Html.headers(false), Html.page(watch.title, pageOf watch));
    Site.certify(watch.site);
  };

  func pageOf(watch : Watch) : Text {
    let all = List.size(watch.targets);
    let down = List.size(List.filter<Target>(watch.targets, func target = List.last(target.history) == ?false));
    let summary = if (all == 0) "Nothing is watched yet." else if (down == 0) "Everything that was checked answers." else Nat.toText down # " of " # Nat.toText all # (if (down == 1) " does" else " do") # " not answer.";
    let when = switch (watch.checked) { case (?at) "Checked " # Dates.minute at; case null "Not checked yet" };
    var cards = "";
    for (target in List.values(watch.targets)) cards #= cardOf target;
    "<p class=\"" # (if (down > 0) "down" else if (all > 0) "up" else "muted") # "\">" # summary # "</p><p class=\"muted\">" # when # ", every " # Nat.toText(watch.period) # " seconds.</p>" # cards;
  };

  func cardOf(target : Target) : Text {
    let state = switch (List.last(target.history)) {
      case (?true) "<span class=\"up\">answers</span>";
      case (?false) "<span class=\"down\">does not answer</span>";
      case null "<span class=\"muted\">not checked yet</span>";
    };
    var bars = "";
    for (up in List.values(target.history)) bars #= if up "<i></i>" else "<i class=\"miss\"></i>";
    let share = Float.format(uptime(target.history), #fix 1) # " % of the last " # Nat.toText(List.size(target.history)) # " checks";
    "<section class=\"card\"><div class=\"row\"><strong>" # Html.escape(target.name) # "</strong>" # state # "</div><div class=\"muted\">" # Principal.toText(target.canister) # "</div>" #
    "<div class=\"bars\" role=\"img\" aria-label=\"" # share # "\">" # bars # "</div><div class=\"muted\">" # share # "; " # Html.escape(target.found) # "</div></section>";
  };
};
