/// Payments in ICP that were made to this canister, each by the block of the ledger that holds it.

import Array "mo:core/Array";
import Blob "mo:core/Blob";
import Nat64 "mo:core/Nat64";
import Nat8 "mo:core/Nat8";
import Principal "mo:core/Principal";
import Text "mo:core/Text";
import VarArray "mo:core/VarArray";
import Types "Types";

module {
  /// What a payment is for. The ledger's memo says it, in four letters.
  public type Purpose = { #create; #topUp; #mint };

  /// 'CREA', 'TPUP' and 'MINT', little-endian.
  public let MEMOS : [(Nat64, Purpose)] = [
    (0x41455243, #create),
    (0x50555054, #topUp),
    (0x544e494d, #mint),
  ];

  public type Payment = { from : Blob; amount : Nat64; memo : Nat64; purpose : ?Purpose };

  /// The fee of the ICP ledger, in e8s.
  public let FEE : Nat64 = 10_000;

  /// The subaccount of a principal: its length, its bytes, zeros.
  public func subaccountOf(id : Principal) : Blob {
    let bytes = Principal.toBlob(id);
    let padded = VarArray.repeat<Nat8>(0, 32);
    padded[0] := Nat8.fromNat(bytes.size());
    var at = 1;
    for (byte in bytes.values()) {
      padded[at] := byte;
      at += 1;
    };
    Blob.fromArray(Array.fromVarArray(padded));
  };

  /// The memo as a number; ICRC-1 transfers write it as 8 little-endian bytes.
  func memoOf(memo : Nat64, text : ?Blob) : Nat64 {
    switch text {
      case (?bytes) if (memo == 0 and bytes.size() == 8) {
        var number : Nat64 = 0;
        var shift : Nat64 = 0;
        for (byte in bytes.values()) {
          number |= Nat64.fromNat(Nat8.toNat(byte)) << shift;
          shift += 8;
        };
        return number;
      };
      case null {};
    };
    memo;
  };

  func purposeOf(memo : Nat64) : ?Purpose {
    for ((known, purpose) in MEMOS.values()) if (known == memo) return ?purpose;
    null;
  };

  /// The payment in a block to `account`, or why it is none.
  public func read(block : Types.Block, account : Blob) : { #ok : Payment; #err : Text } {
    let #Transfer { from; to; amount } = (
      switch (block.transaction.operation) {
        case (?operation) operation;
        case null return #err("Notification transaction must be of type Transfer");
      }
    ) else return #err("Notification transaction must be of type Transfer");
    if (to != account) return #err(
      "Destination account in the block (" # hex(to) # ") different than in the notification (" # hex(account) # ")"
    );
    let memo = memoOf(block.transaction.memo, block.transaction.icrc1_memo);
    #ok { from; amount = amount.e8s; memo; purpose = purposeOf(memo) };
  };

  public func hex(bytes : Blob) : Text {
    let digits = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f"];
    let parts = Array.map<Nat8, Text>(
      Blob.toArray(bytes),
      func byte = digits[Nat8.toNat(byte / 16)] # digits[Nat8.toNat(byte % 16)],
    );
    Text.join(parts.values(), "");
  };
};
