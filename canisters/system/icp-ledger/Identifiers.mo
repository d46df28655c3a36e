/// Account identifiers: what the ledger knows accounts by, 32 bytes that do not tell their owner.

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
  let size = 32;
  let checksumSize = 4;

  public func ofAccount({ owner; subaccount } : Types.Account) : Types.Identifier {
    Principal.toLedgerAccount(owner, subaccount);
  };

  /// Whether the bytes are an identifier, by their number and their checksum.
  public func isValid(bytes : Blob) : Bool {
    if (bytes.size() != size) return false;
    let all = Blob.toArray bytes;
    // The hash of a blob is its CRC-32.
    let sum = Blob.hash(Blob.fromArray(Array.sliceToArray<Nat8>(all, checksumSize, size)));
    Array.sliceToArray<Nat8>(all, 0, checksumSize) == explode sum;
  };

  func explode(number : Nat32) : [Nat8] {
    let (a, b, c, d) = Nat32.explode number;
    [a, b, c, d];
  };

  /// 64 hexadecimal digits.
  public func toText(identifier : Types.Identifier) : Text {
    var text = "";
    for (byte in identifier.values()) text #= digit(byte / 16) # digit(byte % 16);
    text;
  };

  func digit(number : Nat8) : Text {
    Char.toText(Char.fromNat32(Nat32.fromNat8(if (number < 10) number + 48 else number + 87)));
  };

  /// Null where the text is not that of an identifier.
  public func ofText(text : Text) : ?Types.Identifier {
    if (text.size() != 2 * size) return null;
    let bytes = List.empty<Nat8>();
    var high : ?Nat8 = null;
    for (char in text.chars()) {
      let ?value = valueOf char else return null;
      switch high {
        case null high := ?value;
        case (?first) {
          List.add(bytes, first * 16 + value);
          high := null;
        };
      };
    };
    let identifier = Blob.fromArray(List.toArray bytes);
    if (isValid identifier) ?identifier else null;
  };

  func valueOf(char : Char) : ?Nat8 {
    let code = Char.toNat32 char;
    if (code >= 48 and code <= 57) ?Nat32.toNat8(code - 48) else if (code >= 97 and code <= 102) ?Nat32.toNat8(code - 87) else if (code >= 65 and code <= 70) ?Nat32.toNat8(code - 55) else null;
  };
};
