/// Certified answers to HTTP requests (HTTP Gateway Protocol, response verification version 2): a client sees that a page
/// is the canister's, though a single machine answered.

import Array "mo:core/Array";
import Base64 "mo:core/Base64";
import Blob "mo:core/Blob";
import CertifiedData "mo:core/CertifiedData";
import Iter "mo:core/Iter";
import List "mo:core/List";
import Map "mo:core/Map";
import Nat "mo:core/Nat";
import Nat16 "mo:core/Nat16";
import Text "mo:core/Text";
import Bytes "Bytes";
import HashTree "HashTree";
import Sha256 "Sha256";
import Url "Url";

module {
  public type Header = (Text, Text);
  public type Request = { method : Text; url : Text; headers : [Header]; body : Blob };
  /// `upgrade` asks the gateway to send the request again as an update call.
  public type Response = { status_code : Nat16; headers : [Header]; body : Blob; upgrade : ?Bool };

  type Certified = { status : Nat16; headers : [Header]; body : Blob; expressionHash : Blob; responseHash : Blob };
  /// Pages by path. What is at no path is answered with a page that says so.
  public type Site = { pages : Map.Map<Text, Certified> };

  let expressions = "http_expr" : Blob;
  let exact = "<$>" : Blob;
  let wildcard = "<*>" : Blob;

  public func empty() : Site { { pages = Map.empty<Text, Certified>() } };

  /// Sets what a path such as `/files/a.txt` is answered with. Call `certify` after the last change of a message.
  public func put(site : Site, path : Text, status : Nat16, headers : [Header], body : Blob) {
    Map.add(site.pages, Text.compare, path, certified(status, headers, body));
  };

  public func remove(site : Site, path : Text) {
    Map.remove(site.pages, Text.compare, path);
  };

  /// Certifies all pages. An upgraded canister calls it, too.
  public func certify(site : Site) {
    CertifiedData.set(HashTree.hash(tree site));
  };

  /// The answer to a query. The page is looked up by the path; what follows a question mark is left to the page.
  public func answer(site : Site, url : Text) : Response {
    let segments = Url.segments url;
    let path = "/" # Text.join(segments.values(), "/");
    let labels = exactLabels segments;
    switch (Map.get(site.pages, Text.compare, path)) {
      case (?page) respond(site, page, labels, [labels]);
      case null {
        let shown = List.fromArray<HashTree.Path>([[expressions, wildcard], labels]);
        // The proof that there is no page nearer to the path.
        for (depth in Nat.range(1, labels.size())) {
          let folder = Array.sliceToArray<Blob>(labels, 0, depth);
          List.add(shown, Array.concat<Blob>(folder, [wildcard]));
          List.add(shown, Array.concat<Blob>(folder, ["", wildcard]));
        };
        respond(site, notFound(), [expressions, wildcard], List.toArray(shown));
      };
    };
  };

  /// Asks for the request as an update call, which may change something.
  public func upgrade() : Response {
    { status_code = 200; headers = []; body = ""; upgrade = ?true };
  };

  /// The answer to an update call, which needs no certificate.
  public func plain(status : Nat16, text : Text) : Response {
    let headers = [("Content-Type", "text/plain; charset=utf-8"), ("X-Content-Type-Options", "nosniff")];
    { status_code = status; headers; body = Text.encodeUtf8 text; upgrade = null };
  };

  /// Sends a browser to another page after a form.
  public func redirect(path : Text) : Response {
    { status_code = 303; headers = [("Location", path)]; body = ""; upgrade = null };
  };

  func notFound() : Certified {
    certified(404, [("Content-Type", "text/plain; charset=utf-8"), ("X-Content-Type-Options", "nosniff")], "There is no such page.");
  };

  func exactLabels(segments : [Text]) : HashTree.Path {
    Array.flatten<Blob>([[expressions], Array.map<Text, Blob>(segments, Text.encodeUtf8), [exact]]);
  };

  func expressionOf(headers : [Header]) : Text {
    let names = Array.map<Header, Text>(headers, func(name, _) = "\"" # name # "\"");
    "default_certification(ValidationArgs{certification:Certification{no_request_certification:Empty{}," #
    "response_certification:ResponseCertification{certified_response_headers:ResponseHeaderList{headers:[" #
    Text.join(names.values(), ",") # "]}}}})";
  };

  func certified(status : Nat16, headers : [Header], body : Blob) : Certified {
    let expression = expressionOf headers;
    let text = func(value : Text) : Blob { Sha256.ofBlob(Text.encodeUtf8 value) };
    let fields = Array.concat<[Blob]>(
      Array.map<Header, [Blob]>(headers, func(name, value) = [text(Text.toLower name), text value]),
      [
        [text(":ic-cert-status"), Sha256.ofBlob(Bytes.leb128(Nat16.toNat status))],
        [text("ic-certificateexpression"), text expression],
      ],
    );
    let sorted = Array.sort<[Blob]>(fields, func(a, b) = Blob.compare(a[0], b[0]));
    let headersHash = Sha256.ofBlobs(Array.flatten<Blob>(sorted));
    let responseHash = Sha256.ofBlobs([headersHash, Sha256.ofBlob body]);
    { status; headers; body; expressionHash = text expression; responseHash };
  };

  func leafOf({ expressionHash; responseHash } : Certified) : HashTree.Node {
    // The empty label says that the request is not certified.
    #level([(expressionHash, #level([("", #level([(responseHash, #leaf "")]))]))]);
  };

  func tree(site : Site) : HashTree.Node {
    let pages = Iter.map<(Text, Certified), (HashTree.Path, HashTree.Node)>(
      Map.entries(site.pages),
      func(path, page) = (exactLabels(Url.segments path), leafOf page),
    );
    let all = Array.concat<(HashTree.Path, HashTree.Node)>(
      Iter.toArray pages,
      [([expressions, wildcard], leafOf(notFound()))],
    );
    #level(nest(all, 0));
  };

  /// Puts nodes at the end of their paths, from one depth on.
  func nest(entries : [(HashTree.Path, HashTree.Node)], depth : Nat) : HashTree.Level {
    let groups = Map.empty<Blob, List.List<(HashTree.Path, HashTree.Node)>>();
    for (entry in entries.values()) {
      let text = entry.0[depth];
      switch (Map.get(groups, Blob.compare, text)) {
        case (?group) List.add(group, entry);
        case null Map.add(groups, Blob.compare, text, List.singleton<(HashTree.Path, HashTree.Node)>(entry));
      };
    };
    let level = Iter.map<(Blob, List.List<(HashTree.Path, HashTree.Node)>), (Blob, HashTree.Node)>(
      Map.entries groups,
      func(text, group) {
        let (path, node) = List.at(group, 0);
        if (path.size() == depth + 1) (text, node) else (text, #level(nest(List.toArray group, depth + 1)));
      },
    );
    HashTree.level(Iter.toArray level);
  };

  func respond(site : Site, page : Certified, expressionPath : HashTree.Path, shown : [HashTree.Path]) : Response {
    let certificate = switch (CertifiedData.getCertificate()) { case (?bytes) bytes; case null "" : Blob };
    let path = Bytes.cbor();
    Bytes.writeArray(path, expressionPath.size());
    for (text in expressionPath.values()) {
      Bytes.writeText(path, switch (Text.decodeUtf8 text) { case (?decoded) decoded; case null "" });
    };
    let field = func(name : Text, bytes : Blob) : Text { name # "=:" # Base64.encode bytes # ":" };
    let value = field("certificate", certificate) # ", " # field("tree", HashTree.encode(HashTree.reveal(tree site, shown))) #
    ", version=2, " # field("expr_path", Bytes.blob path);
    let proof = [("IC-CertificateExpression", expressionOf(page.headers)), ("IC-Certificate", value)];
    { status_code = page.status; headers = Array.concat<Header>(page.headers, proof); body = page.body; upgrade = null };
  };
};
