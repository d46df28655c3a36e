/// Accounts as keys: an owner, and 32 bytes that tell the accounts of one owner apart.

import Array "mo:core/Array";
import Blob "mo:core/Blob";
import Nat8 "mo:core/Nat8";
import Principal "mo:core/Principal";
import Types "Types";

module {
  /// The same for all ways to write the same account.
  public type Key = Blob;

  let subaccountSize = 32;

  public func isValid({ subaccount } : Types.Account) : Bool {
    switch subaccount {
      case null true;
      case (?bytes) bytes.size() == subaccountSize;
    };
  };

  /// The subaccount of zeros is the one that is meant when none is given.
  public func key({ owner; subaccount } : Types.Account) : Key {
    let bytes = Blob.toArray(Principal.toBlob(owner));
    let rest = switch subaccount {
      case null [] : [Nat8];
      case (?given) if (Array.all<Nat8>(Blob.toArray(given), func byte = byte == 0)) [] else Blob.toArray(given);
    };
    Blob.fromArray(Array.concat(Array.concat<Nat8>([Nat8.fromNat(bytes.size())], bytes), rest));
  };

  /// The account of a key.
  public func ofKey(key : Key) : Types.Account {
    let bytes = Blob.toArray key;
    let end = Nat8.toNat(bytes[0]) + 1;
    let rest = Array.sliceToArray<Nat8>(bytes, end, bytes.size());
    {
      owner = Principal.fromBlob(Blob.fromArray(Array.sliceToArray<Nat8>(bytes, 1, end)));
      subaccount = if (rest.size() == 0) null else ?Blob.fromArray(rest);
    };
  };

  /// The account in a block: its owner, and its subaccount where the caller gave one.
  public func value({ owner; subaccount } : Types.Account) : Types.Value {
    let first : Types.Value = #Blob(Principal.toBlob(owner));
    switch subaccount {
      case null #Array([first]);
      case (?bytes) #Array([first, #Blob bytes]);
    };
  };
};
