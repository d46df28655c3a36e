/// Paths, queries and forms of HTTP requests.

import Array "mo:core/Array";
import Blob "mo:core/Blob";
import Iter "mo:core/Iter";
import List "mo:core/List";
import Nat8 "mo:core/Nat8";
import Text "mo:core/Text";

module {
  /// The parts of a path without those that are empty; a path that ends with a slash has an empty one at its end.
  public func segments(url : Text) : [Text] {
    let path = before(before(url, "?"), "#");
    let parts = Iter.toArray(Iter.map<Text, Text>(Text.tokens(path, #char '/'), func part = decode(part, false)));
    if (Text.endsWith(path, #char '/') or path == "") Array.concat<Text>(parts, [""]) else parts;
  };

  /// A field of what follows the question mark.
  public func queryField(url : Text, name : Text) : ?Text {
    let parts = Text.split(url, #char '?');
    ignore parts.next();
    let ?after = parts.next() else return null;
    field(before(after, "#"), name);
  };

  /// A field of a form or a query (application/x-www-form-urlencoded).
  public func field(form : Text, name : Text) : ?Text {
    for (pair in Text.split(form, #char '&')) {
      let parts = Text.split(pair, #char '=');
      let ?key = parts.next() else return null;
      if (decode(key, true) == name) return ?(switch (parts.next()) { case (?value) decode(value, true); case null "" });
    };
    null;
  };

  func before(text : Text, mark : Text) : Text {
    switch (Text.split(text, #text mark).next()) { case (?first) first; case null "" };
  };

  /// Text with its `%41` read; as it is when that gives no text.
  func decode(text : Text, plusIsSpace : Bool) : Text {
    let bytes = Blob.toArray(Text.encodeUtf8 text);
    let decoded = List.empty<Nat8>();
    var at = 0;
    while (at < bytes.size()) {
      let byte = bytes[at];
      if (byte == 0x25 and at + 2 < bytes.size()) {
        let (?high, ?low) = (digit(bytes[at + 1]), digit(bytes[at + 2])) else return text;
        List.add(decoded, high * 16 + low);
        at += 3;
      } else {
        List.add(decoded, if (plusIsSpace and byte == 0x2b) 0x20 : Nat8 else byte);
        at += 1;
      };
    };
    switch (Text.decodeUtf8(Blob.fromArray(List.toArray decoded))) {
      case (?read) read;
      case null text;
    };
  };

  func digit(byte : Nat8) : ?Nat8 {
    if (byte >= 0x30 and byte <= 0x39) return ?(byte - 0x30);
    let lower = byte | 0x20;
    if (lower >= 0x61 and lower <= 0x66) return ?(lower - 0x61 + 10);
    null;
  };
};
