/// The entries of a guest book, and the page that shows them.

import List "mo:core/List";
import Result "mo:core/Result";
import Text "mo:core/Text";
import Dates "mo:certified/Dates";
import Html "mo:certified/Html";
import Site "mo:certified/Site";
import Url "mo:certified/Url";

module {
  public type Entry = { id : Nat; name : Text; text : Text; at : Int };
  public type Book = {
    title : Text;
    var entries : List.List<Entry>;
    var next : Nat;
    site : Site.Site;
    /// The minute of the latest entry, and how many it has seen.
    var minute : Int;
    var inMinute : Nat;
  };

  /// Characters of a title, a name and a text.
  let titleLength = 100;
  let nameLength = 50;
  let textLength = 500;
  /// The page shows this many; the oldest make room for new ones.
  let mostEntries = 200;
  /// Everybody can write; this keeps a program from filling the book within a second.
  let mostInMinute = 30;
  /// Bytes of a form that are read.
  let formBytes = 10_000;
  let nanosInMinute = 60_000_000_000;

  public func open(title : ?Text) : Book {
    let given = switch title { case (?text) text; case null "Guest book" };
    let book : Book = {
      title = if (given == "" or given.size() > titleLength) "Guest book" else given;
      var entries = List.empty<Entry>();
      var next = 1;
      site = Site.empty();
      var minute = 0;
      var inMinute = 0;
    };
    book;
  };

  public func sign(book : Book, now : Int, name : Text, text : Text) : Result.Result<Nat, Text> {
    let writer = Text.trim(name, #predicate(func char = char == ' '));
    let words = Text.trim(text, #predicate(func char = char == ' ' or char == '\n' or char == '\r'));
    if (writer == "" or writer.size() > nameLength) return #err("A name has 1 to 50 characters.");
    if (words == "" or words.size() > textLength) return #err("A text has 1 to 500 characters.");
    let minute = now / nanosInMinute;
    if (minute != book.minute) {
      book.minute := minute;
      book.inMinute := 0;
    };
    if (book.inMinute >= mostInMinute) return #err("Many are writing just now. Try again in a minute.");
    book.inMinute += 1;
    let id = book.next;
    book.next += 1;
    List.add(book.entries, { id; name = writer; text = words; at = now });
    if (List.size(book.entries) > mostEntries) {
      let first = List.size(book.entries) - mostEntries : Nat;
      book.entries := List.fromIter(List.range(book.entries, first, List.size(book.entries)));
    };
    publish book;
    #ok id;
  };

  public func remove(book : Book, id : Nat) : Bool {
    let kept = List.filter<Entry>(book.entries, func entry = entry.id != id);
    let found = List.size kept < List.size(book.entries);
    book.entries := kept;
    publish book;
    found;
  };

  /// Writes the page and certifies it.
  public func publish(book : Book) {
    Site.put(book.site, "/", 200, Html.headers(false), Html.page(book.title, pageOf book));
    Site.certify(book.site);
  };

  func pageOf(book : Book) : Text {
    var entries = "";
    for ({ name; text; at } in List.reverseValues(book.entries)) {
      entries #= "<article class=\"card\"><div class=\"row\"><strong>" # Html.escape name # "</strong><span class=\"muted\">" #
      Dates.day at # "</span></div><p>" # Html.escape text # "</p></article>";
    };
    if (entries == "") entries := "<p class=\"muted\">Nobody has written yet. Be the first.</p>";
    "<form class=\"card\" method=\"post\" action=\"/sign\"><label>Your name<input name=\"name\" required maxlength=\"50\" autocomplete=\"nickname\"></label>" #
    "<label>Your words<textarea name=\"text\" required maxlength=\"500\"></textarea></label><button>Sign the book</button></form>" # entries;
  };

  /// A form of the page.
  public func post(book : Book, now : Int, { url; body } : Site.Request) : Site.Response {
    if (Url.segments url != ["sign"]) return Site.plain(404, "There is no such page.");
    if (body.size() > formBytes) return Site.plain(413, "The form is too long.");
    let ?form = Text.decodeUtf8 body else return Site.plain(400, "The form is no text.");
    let (?name, ?text) = (Url.field(form, "name"), Url.field(form, "text")) else return Site.plain(400, "The form needs a name and a text.");
    switch (sign(book, now, name, text)) {
      case (#ok _) Site.redirect("/");
      case (#err message) Site.plain(400, message);
    };
  };
};
