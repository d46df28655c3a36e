/// The hash of a value that does not depend on how it is written (ICRC-3, "Value Hash").

import Array "mo:core/Array";
import Blob "mo:core/Blob";
import Int "mo:core/Int";
import List "mo:core/List";
import Nat8 "mo:core/Nat8";
import Text "mo:core/Text";
import Bytes "mo:certified/Bytes";
import Sha256 "mo:certified/Sha256";
import Types "Types";

module {
  public func hash(value : Types.Value) : Blob {
    switch value {
      case (#Blob bytes) Sha256.ofBlob(bytes);
      case (#Text text) Sha256.ofBlob(Text.encodeUtf8(text));
      case (#Nat number) Sha256.ofBlob(Bytes.leb128(number));
      case (#Int number) Sha256.ofBlob(signedLeb128(number));
      case (#Array values) Sha256.ofBlobs(Array.map<Types.Value, Blob>(values, hash));
      case (#Map fields) {
        let hashes = Array.map<(Text, Types.Value), [Blob]>(
          fields,
          func(name, field) = [Sha256.ofBlob(Text.encodeUtf8(name)), hash(field)],
        );
        let sorted = Array.sort<[Blob]>(
          hashes,
          func(a, b) = if (a[0] == b[0]) Blob.compare(a[1], b[1]) else Blob.compare(a[0], b[0]),
        );
        Sha256.ofBlobs(Array.flatten<Blob>(sorted));
      };
    };
  };

  func signedLeb128(number : Int) : Blob {
    let bytes = List.empty<Nat8>();
    var rest = number;
    loop {
      let low = ((rest % 128) + 128) % 128;
      rest := (rest - low) / 128;
      let last = (rest == 0 and low < 64) or (rest == -1 and low >= 64);
      List.add(bytes, Nat8.fromNat(Int.abs(if last low else low + 128)));
      if last return Bytes.blob(bytes);
    };
  };
};
