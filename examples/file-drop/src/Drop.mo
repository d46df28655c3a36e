/// The files of a drop: who may upload, what is kept, and how it is served.

import Array "mo:core/Array";
import Char "mo:core/Char";
import List "mo:core/List";
import Map "mo:core/Map";
import Nat "mo:core/Nat";
import Option "mo:core/Option";
import Result "mo:core/Result";
import Text "mo:core/Text";
import Dates "mo:certified/Dates";
import Html "mo:certified/Html";
import Sha256 "mo:certified/Sha256";
import Site "mo:certified/Site";
import Url "mo:certified/Url";
import Script "Script";

module {
  public type File = { name : Text; size : Nat; content_type : Text; at : Int };
  public type Drop = {
    files : Map.Map<Text, File>;
    site : Site.Site;
    var bytes : Nat;
    /// SHA-256 of the key that uploads need; nobody can upload while there is none.
    var key : ?Blob;
  };

  /// A call has 2 MB at most. All files together, and how many.
  let fileBytes = 1_900_000;
  let allBytes = 200_000_000;
  let mostFiles = 200;
  let nameLength = 100;
  /// Short keys could be guessed.
  let keyLength = 16;
  /// What a browser may show by itself; it saves everything else.
  let shown = ["image/png", "image/jpeg", "image/gif", "image/webp", "text/plain"];

  public func empty() : Drop {
    { files = Map.empty<Text, File>(); site = Site.empty(); var bytes = 0; var key = null };
  };

  /// Sets the key; only its hash is kept.
  public func setKey(drop : Drop, key : Text) : Result.Result<(), Text> {
    if (key.size() < keyLength or key.size() > 200) return #err("A key has 16 to 200 characters.");
    drop.key := ?Sha256.ofBlob(Text.encodeUtf8 key);
    #ok;
  };

  func opens(drop : Drop, key : Text) : Bool {
    switch (drop.key) {
      case (?hash) Sha256.ofBlob(Text.encodeUtf8 key) == hash;
      case null false;
    };
  };

  func isName(text : Text) : Bool {
    let plain = Text.toIter(text);
    for (char in plain) {
      let isPlain = (Char.isAlphabetic char or Char.isDigit char) and Char.toNat32 char < 128;
      if (not isPlain and char != '.' and char != '-' and char != '_') return false;
    };
    text != "" and text.size() <= nameLength and not Text.startsWith(text, #char '.');
  };

  /// Keeps a file, instead of one with the same name, and answers its path.
  public func put(drop : Drop, now : Int, name : Text, contentType : Text, body : Blob) : Result.Result<Text, Text> {
    if (not isName name) return #err("A name has up to 100 letters, digits, dots, hyphens and underscores.");
    if (body.size() == 0) return #err("The file is empty.");
    if (body.size() > fileBytes) return #err("A file has 1900000 bytes at most.");
    let old = Map.get(drop.files, Text.compare, name);
    let before = switch old { case (?{ size }) size; case null 0 };
    if (Option.isNull old and Map.size(drop.files) >= mostFiles) return #err("There are 200 files. Remove one first.");
    let bytes = (drop.bytes - before : Nat) + body.size();
    if (bytes > allBytes) return #err("The files have 200000000 bytes together. Remove one first.");
    let isShown = Option.isSome(Array.find<Text>(shown, func one = one == contentType));
    let served = if isShown contentType else "application/octet-stream";
    let headers = [
      ("Content-Type", if (served == "text/plain") "text/plain; charset=utf-8" else served),
      ("Content-Disposition", (if isShown "inline" else "attachment") # "; filename=\"" # name # "\""),
      // What somebody uploaded must not act in the name of this page.
      ("Content-Security-Policy", "default-src 'none'; sandbox"),
      ("X-Content-Type-Options", "nosniff"),
    ];
    let path = "/files/" # name;
    Map.add(drop.files, Text.compare, name, { name; size = body.size(); content_type = served; at = now });
    drop.bytes := bytes;
    Site.put(drop.site, path, 200, headers, body);
    publish drop;
    #ok path;
  };

  public func remove(drop : Drop, name : Text) : Bool {
    let ?{ size } = Map.get(drop.files, Text.compare, name) else return false;
    Map.remove(drop.files, Text.compare, name);
    drop.bytes -= size;
    Site.remove(drop.site, "/files/" # name);
    publish drop;
    true;
  };

  public func files(drop : Drop) : [File] {
    let listed = List.empty<File>();
    for (file in Map.values(drop.files)) List.add(listed, file);
    List.toArray listed;
  };

  public func room(drop : Drop) : { used : Nat; left : Nat } {
    { used = drop.bytes; left = allBytes - drop.bytes : Nat };
  };

  /// Writes the pages and certifies them.
  public func publish(drop : Drop) {
    Site.put(drop.site, "/", 200, Html.headers(true), Html.page("File drop", pageOf drop));
    let headers = [("Content-Type", "text/javascript; charset=utf-8"), ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-cache")];
    Site.put(drop.site, "/page.js", 200, headers, Text.encodeUtf8(Script.text()));
    Site.certify(drop.site);
  };

  func pageOf(drop : Drop) : Text {
    var list = "";
    for ({ name; size; at } in Map.values(drop.files)) {
      let shown = Html.escape name;
      list #= "<article class=\"card row\"><a href=\"/files/" # shown # "\">" # shown # "</a><span class=\"muted\">" # sizeText size # ", " # Dates.day at # "</span></article>";
    };
    if (list == "") list := "<p class=\"muted\">There are no files yet.</p>";
    "<form class=\"card\"><label>File, up to 1.9 MB<input name=\"file\" type=\"file\" required></label>" #
    "<label>Key<input name=\"key\" type=\"password\" required autocomplete=\"off\"></label>" #
    "<button>Upload</button> <span class=\"muted\" role=\"status\"></span></form><script src=\"/page.js\"></script>" # list;
  };

  func sizeText(bytes : Nat) : Text {
    if (bytes < 1_000) Nat.toText bytes # " bytes" else Nat.toText((bytes + 500) / 1_000) # " kB";
  };

  /// An upload of the page: the name is in the address, the key in a header, the file is the body.
  public func post(drop : Drop, now : Int, { url; headers; body } : Site.Request) : Site.Response {
    if (Url.segments url != ["upload"]) return Site.plain(404, "There is no such page.");
    let header = func(name : Text) : Text {
      switch (Array.find<Site.Header>(headers, func(key, _) = Text.toLower key == name)) { case (?(_, value)) value; case null "" };
    };
    if (not opens(drop, header "x-drop-key")) return Site.plain(403, "This key does not open the drop.");
    let ?name = Url.queryField(url, "name") else return Site.plain(400, "The file needs a name.");
    switch (put(drop, now, name, header "content-type", body)) {
      case (#ok path) Site.plain(201, path);
      case (#err message) Site.plain(400, message);
    };
  };
};
