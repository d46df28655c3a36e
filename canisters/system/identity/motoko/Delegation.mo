/// What a delegation and its public key look like in bytes (interface specification, "Authentication" and "Canister signatures").

import Array "mo:core/Array";
import Blob "mo:core/Blob";
import Nat8 "mo:core/Nat8";
import Nat "mo:core/Nat";
import Nat64 "mo:core/Nat64";
import Principal "mo:core/Principal";
import Sha256 "Sha256";

module {
  public type Delegation = { session_key : Blob; expiration : Nat64; targets : ?[Principal] };

  /// What is signed: the domain and the representation-independent hash of the delegation.
  public func message(delegation : Delegation) : Blob {
    let fields = [
      (Sha256.hash(["pubkey"]), Sha256.hash([delegation.session_key])),
      (Sha256.hash(["expiration"]), Sha256.hash([leb128(delegation.expiration)])),
    ];
    let all = switch (delegation.targets) {
      case null fields;
      case (?targets) fields.concat([(Sha256.hash(["targets"]), Sha256.hash(targets.map(func target = Sha256.hash([target.toBlob()]))))]);
    };
    let sorted = all.map<(Blob, Blob), Blob>(func(key, value) = Sha256.joined([key, value])).sort(Blob.compare);
    Sha256.joined(["\1Aic-request-auth-delegation", Sha256.hash(sorted)]);
  };

  func leb128(number : Nat64) : Blob {
    var rest = number.toNat();
    var bytes : [Nat8] = [];
    while (rest >= 128) {
      bytes := bytes.concat([(rest % 128 + 128).toNat8()]);
      rest /= 128;
    };
    Blob.fromArray(bytes.concat([rest.toNat8()]));
  };

  /// The key in DER by which `canister` signs for `seed`, of 32 bytes.
  public func publicKey(canister : Principal, seed : Blob) : Blob {
    let id = canister.toBlob();
    let raw = 1 + id.size() + seed.size();
    Sha256.joined([
      Blob.fromArray([0x30, (raw + 17).toNat8()]),
      "\30\0C\06\0A\2B\06\01\04\01\83\B8\43\01\02",
      Blob.fromArray([0x03, (raw + 1).toNat8(), 0x00, id.size().toNat8()]),
      id,
      seed,
    ]);
  };

  /// Ed25519 and elliptic keys have 44 to 91 bytes, a key of a passkey with RSA some 300.
  let maxKeyBytes = 600;

  /// Whether it is one value of DER, as public keys are, of a length that a key can have.
  public func isKey(key : Blob) : Bool {
    let size = key.size();
    if (size < 34 or size > maxKeyBytes or key[0] != 0x30) return false;
    let first = key[1].toNat();
    if (first < 0x80) return size == first + 2;
    if (first == 0x81) return size == key[2].toNat() + 3;
    first == 0x82 and size == key[2].toNat() * 256 + key[3].toNat() + 4;
  };
};
