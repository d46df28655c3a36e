/// Sign-in for development: a page, and delegations by canister signature, as Internet Identity gives them. It is a stand-in for
/// Internet Identity at the id that this has; nothing that it signs is worth anything outside its local network.

import Array "mo:core/Array";
import Base64 "mo:core/Base64";
import Blob "mo:core/Blob";
import Nat64 "mo:core/Nat64";
import Nat16 "mo:core/Nat16";
import Nat "mo:core/Nat";
import Iter "mo:core/Iter";
import Int "mo:core/Int";
import CertifiedData "mo:core/CertifiedData";
import Map "mo:core/Map";
import Principal "mo:core/Principal";
import Queue "mo:core/Queue";
import Text "mo:core/Text";
import Time "mo:core/Time";
import Assets "Assets";
import Delegation "Delegation";
import Sha256 "Sha256";
import Tree "Tree";

persistent actor Identity {
  /// Whose account: that of a name, or of the key that the caller signs with.
  type Account = { #name : Text; #key };
  type Prepare = {
    /// The site that gets the delegation, such as `https://app.example.com`: each has its principals.
    origin : Text;
    /// In DER.
    session_key : Blob;
    /// In nanoseconds; half an hour where it is not given, and 30 days at most.
    max_time_to_live : ?Nat64;
    targets : ?[Principal];
  };
  type Get = { account : Account; origin : Text; session_key : Blob; expiration : Nat64; targets : ?[Principal] };
  type Prepared = { public_key : Blob; expiration : Nat64 };
  type Result<T> = { #ok : T; #err : Text };

  let defaultLifetime : Nat64 = 1_800_000_000_000;
  let maxLifetime : Nat64 = 2_592_000_000_000_000;
  /// As long as Internet Identity keeps a signature to be fetched.
  let signatureLifetime = 60_000_000_000;
  let maxSignatures = 10_000;
  let maxPasskeys = 10_000;
  /// Longest that authenticators give (Web Authentication, section 4: at most 1,023 bytes).
  let maxCredentialBytes = 1_023;
  let maxTargets = 1_000;
  let maxOrigin = 255;
  let maxName = 40;

  /// Random, so that nobody makes principals ready before there is an account. Without it there is none.
  var salt : ?Blob = null;
  /// Keys of passkeys by their ids, for browsers that have not seen them yet.
  let passkeys = Map.empty<Blob, Blob>();
  var signatures : Tree.Tree = #empty;
  /// The same, oldest first: when it was made, and where it is in the tree.
  let waiting = Queue.empty<(Int, Blob, Blob)>();

  func certify() {
    CertifiedData.set(Tree.forkHash(Assets.hash, Tree.labeledHash("sig", Tree.hashOf(signatures))));
  };
  certify();

  /// The number that stands for an account at an origin: no two of them have it together.
  func seedOf(secret : Blob, account : Account, caller : Principal, origin : Text) : Result<Blob> {
    if (not isOrigin(origin)) return #err("The origin must be that of a site, such as https://app.example.com.");
    let (kind, id) : (Blob, Blob) = switch account {
      case (#key) {
        if (not isSelfAuthenticating(caller)) return #err("An account of a key is for the one who signs with it.");
        ("\00", caller.toBlob());
      };
      case (#name name) {
        if (not isName(name)) return #err("A name has 1 to 40 visible characters, with single spaces between words.");
        ("\01", name.encodeUtf8());
      };
    };
    // Each part by its hash, whose length is always the same: no end of one is the beginning of another.
    #ok(Sha256.hash([secret, kind, Sha256.hash([id]), Sha256.hash([origin.encodeUtf8()])]));
  };

  func isSelfAuthenticating(caller : Principal) : Bool {
    let id = caller.toBlob();
    id.size() == 29 and id[28] == 0x02;
  };

  func isOrigin(origin : Text) : Bool {
    if (origin.size() > maxOrigin) return false;
    let rest = switch (origin.stripStart(#text "https://"), origin.stripStart(#text "http://")) {
      case (?rest, _) rest;
      case (_, ?rest) rest;
      case _ return false;
    };
    rest != "" and rest.toIter().all(func c = (c >= 'a' and c <= 'z') or (c >= '0' and c <= '9') or c == '.' or c == '-' or c == '_' or c == ':' or c == '[' or c == ']');
  };

  func isName(name : Text) : Bool {
    if (name.size() == 0 or name.size() > maxName) return false;
    if (name.startsWith(#char ' ') or name.endsWith(#char ' ') or name.contains(#text "  ")) return false;
    // No controls, and nothing that turns or hides what is beside it.
    name.toIter().all(func c = c >= ' ' and not (c >= '\u{7f}' and c <= '\u{a0}') and not (c >= '\u{200b}' and c <= '\u{200f}') and not (c >= '\u{2028}' and c <= '\u{202f}') and not (c >= '\u{2060}' and c <= '\u{206f}') and c != '\u{feff}' and c != '\u{ad}');
  };

  func checkKey(key : Blob, targets : ?[Principal]) : ?Text {
    if (not Delegation.isKey(key)) return ?"The session key is no public key in DER.";
    switch targets {
      case (?many) if (many.size() > maxTargets) return ?"A delegation names 1,000 canisters at most.";
      case null {};
    };
    null;
  };

  func forget(before : Int) {
    label old loop {
      let ?(made, outer, inner) = waiting.peekFront() else break old;
      if (made > before and waiting.size() < maxSignatures) break old;
      ignore waiting.popFront();
      signatures := Tree.remove(signatures, outer, inner);
    };
  };

  /// Signs a delegation for `session_key`, for the account of the caller's key; `get_delegation` hands it out within a minute.
  public shared ({ caller }) func prepare_delegation(asked : Prepare) : async Result<Prepared> {
    await* prepare(#key, caller, asked);
  };

  /// The same for the account of a name, which has no secret. A network that others reach lets nobody call this method, and no
  /// canister can: the caller is anonymous.
  public shared ({ caller }) func prepare_delegation_by_name(name : Text, asked : Prepare) : async Result<Prepared> {
    if (not caller.isAnonymous()) return #err("The account of a name is for nobody in particular: call anonymously.");
    await* prepare(#name name, caller, asked);
  };

  func prepare(account : Account, caller : Principal, asked : Prepare) : async* Result<Prepared> {
    switch (checkKey(asked.session_key, asked.targets)) { case (?problem) return #err problem; case null {} };
    let secret = switch salt {
      case (?known) known;
      case null {
        let drawn = await (actor "aaaaa-aa" : actor { raw_rand : () -> async Blob }).raw_rand();
        // Another caller may have waited for the same.
        switch salt { case (?known) known; case null { salt := ?drawn; drawn } };
      };
    };
    let seed = switch (seedOf(secret, account, caller, asked.origin)) { case (#ok seed) seed; case (#err problem) return #err problem };
    let now = Time.now();
    let wished = switch (asked.max_time_to_live) { case (?nanos) nanos; case null defaultLifetime };
    let expiration = now.toNat().toNat64() + (if (wished < maxLifetime) wished else maxLifetime);
    let message = Delegation.message({ asked with expiration });
    let (outer, inner) = (Sha256.hash([seed]), Sha256.hash([message]));
    forget(now - signatureLifetime);
    signatures := Tree.add(signatures, outer, inner);
    waiting.pushBack((now, outer, inner));
    certify();
    #ok({ public_key = Delegation.publicKey(Principal.fromActor(Identity), seed); expiration });
  };

  /// The signature of a delegation that was prepared less than a minute ago.
  public shared query ({ caller }) func get_delegation(asked : Get) : async Result<Blob> {
    switch (checkKey(asked.session_key, asked.targets)) { case (?problem) return #err problem; case null {} };
    let ?secret = salt else return #err("Nothing was prepared.");
    let seed = switch (seedOf(secret, asked.account, caller, asked.origin)) { case (#ok seed) seed; case (#err problem) return #err problem };
    let (outer, inner) = (Sha256.hash([seed]), Sha256.hash([Delegation.message(asked)]));
    if (not Tree.has(signatures, outer, inner)) return #err("This delegation was not prepared, or more than a minute ago.");
    let ?certificate = CertifiedData.getCertificate() else return #err("This needs a query call.");
    let tree = Tree.forkCbor(Tree.pruned(Assets.hash), Tree.labeledCbor("sig", Tree.witness(signatures, [outer, inner])));
    let parts : [Blob] = ["\D9\D9\F7\A2\6Bcertificate", Tree.head(0x40, certificate.size()), certificate, "\64tree"];
    #ok(Sha256.joined(parts.concat(tree)));
  };

  /// Keeps the key (DER) of a passkey, whose owner calls with it, for `passkey_key`.
  public shared ({ caller }) func register_passkey(passkey : { credential_id : Blob; public_key : Blob }) : async Result<()> {
    let { credential_id; public_key } = passkey;
    if (not Delegation.isKey(public_key) or Sha256.joined([Sha256.hash224([public_key]), "\02"]) != caller.toBlob()) return #err("A passkey is registered by itself.");
    if (credential_id.size() == 0 or credential_id.size() > maxCredentialBytes) return #err("The id of a passkey has 1 to 1,023 bytes.");
    switch (passkeys.get(credential_id)) {
      case (?known) return if (known == public_key) #ok else #err("Another passkey has this id.");
      case null {};
    };
    if (passkeys.size() >= maxPasskeys) return #err("This network keeps 10,000 passkeys. This one works in the browser that made it.");
    passkeys.add(credential_id, public_key);
    #ok;
  };

  public query func passkey_key(credential_id : Blob) : async ?Blob { passkeys.get(credential_id) };

  type Header = (Text, Text);
  type Request = { method : Text; url : Text; headers : [Header]; body : Blob; certificate_version : ?Nat16 };
  type Response = { status_code : Nat16; headers : [Header]; body : Blob };

  public query func http_request(request : Request) : async Response {
    let path = switch (request.url.split(#char '?').next()) { case (?path) path; case null "/" };
    let asset = switch (Assets.all.find(func each = each.path == path)) { case (?found) found; case null Assets.absent };
    let proof : [Header] = switch (CertifiedData.getCertificate()) {
      case (?certificate) {
        let tree = (["\D9\D9\F7"] : [Blob]).concat(Tree.forkCbor([Assets.witness], Tree.pruned(Tree.labeledHash("sig", Tree.hashOf(signatures)))));
        [("IC-Certificate", "certificate=:" # Base64.encode(certificate) # ":, tree=:" # Base64.encode(Sha256.joined(tree)) # ":, expr_path=:" # asset.expressionPath # ":, version=2")];
      };
      case null [];
    };
    { status_code = asset.status; headers = asset.headers.concat(proof); body = asset.body };
  };
};
