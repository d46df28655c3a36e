/// Encodings that certificates and hashes need: LEB128, and the little of CBOR that hash trees use.

import Blob "mo:core/Blob";
import List "mo:core/List";
import Nat8 "mo:core/Nat8";
import Text "mo:core/Text";

module {
  public type Writer = List.List<Nat8>;

  /// A natural number in LEB128.
  public func leb128(number : Nat) : Blob {
    let bytes = List.empty<Nat8>();
    var rest = number;
    while (rest >= 0x80) {
      List.add(bytes, Nat8.fromNat(rest % 0x80 + 0x80));
      rest /= 0x80;
    };
    List.add(bytes, Nat8.fromNat(rest));
    blob(bytes);
  };

  public func blob(writer : Writer) : Blob {
    Blob.fromArray(List.toArray(writer));
  };

  /// Starts a CBOR text that says of itself that it is CBOR (RFC 8949, 3.4.6), as the gateway wants it.
  public func cbor() : Writer {
    List.fromArray<Nat8>([0xd9, 0xd9, 0xf7]);
  };

  public func writeArray(writer : Writer, size : Nat) { writeHead(writer, 4, size) };

  public func writeNumber(writer : Writer, number : Nat) { writeHead(writer, 0, number) };

  public func writeBlob(writer : Writer, bytes : Blob) {
    writeHead(writer, 2, bytes.size());
    for (byte in bytes.values()) List.add(writer, byte);
  };

  public func writeText(writer : Writer, text : Text) {
    let bytes = Text.encodeUtf8(text);
    writeHead(writer, 3, bytes.size());
    for (byte in bytes.values()) List.add(writer, byte);
  };

  /// The kind of an item and its number or size; sizes here are below 2^32.
  func writeHead(writer : Writer, kind : Nat, number : Nat) {
    let (code, bytes) = if (number < 24) (number, 0) else if (number < 0x100) (24, 1) else if (number < 0x1_0000) (25, 2) else (26, 4);
    List.add(writer, Nat8.fromNat(kind * 32 + code));
    var left = bytes;
    while (left > 0) {
      left -= 1;
      List.add(writer, Nat8.fromNat(number / 256 ** left % 256));
    };
  };
};
