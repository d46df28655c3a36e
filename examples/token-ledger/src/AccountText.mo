/// Accounts as text (ICRC-1, "Textual encoding of ICRC-1 accounts").

import Array "mo:core/Array";
import Blob "mo:core/Blob";
import Char "mo:core/Char";
import List "mo:core/List";
import Nat32 "mo:core/Nat32";
import Nat8 "mo:core/Nat8";
import Principal "mo:core/Principal";
import Text "mo:core/Text";
import Types "Types";

module {
  /// The owner; where the account is not its first, a checksum and the subaccount as well.
  public func toText({ owner; subaccount } : Types.Account) : Text {
    let ?bytes = subaccount else return Principal.toText owner;
    let digits = Text.trimStart(hex bytes, #char '0');
    if (digits == "") return Principal.toText owner;
    // The hash of a blob is its CRC-32.
    let sum = Blob.hash(Blob.fromArray(Array.concat(Blob.toArray(Principal.toBlob owner), Blob.toArray bytes)));
    let (a, b, c, d) = Nat32.explode sum;
    Principal.toText owner # "-" # base32([a, b, c, d]) # "." # digits;
  };

  /// Two digits for each byte.
  public func hex(bytes : Blob) : Text {
    let digits = List.empty<Char>();
    for (byte in bytes.values()) {
      List.add(digits, digit(byte / 16));
      List.add(digits, digit(byte % 16));
    };
    Text.fromIter(List.values digits);
  };

  func digit(number : Nat8) : Char {
    Char.fromNat32(Nat32.fromNat8(if (number < 10) number + 48 else number + 87));
  };

  /// RFC 4648, in small letters and without padding.
  func base32(bytes : [Nat8]) : Text {
    let letters = List.empty<Char>();
    var rest : Nat32 = 0;
    var bits : Nat32 = 0;
    func add(number : Nat32) {
      List.add(letters, Char.fromNat32(if (number < 26) number + 97 else number + 24));
    };
    for (byte in bytes.values()) {
      rest := ((rest << 8) | Nat32.fromNat8 byte) & 0xffff;
      bits += 8;
      while (bits >= 5) {
        bits -= 5;
        add((rest >> bits) & 31);
      };
    };
    if (bits > 0) add((rest << (5 - bits)) & 31);
    Text.fromIter(List.values letters);
  };
};
