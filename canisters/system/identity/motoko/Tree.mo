/// Hash trees of the interface specification ("Certification"): what the canister signs is a path with an empty leaf.

import Array "mo:core/Array";
import Blob "mo:core/Blob";
import Nat8 "mo:core/Nat8";
import Nat "mo:core/Nat";
import Sha256 "Sha256";

module {
  /// A directory of labels of 32 bytes, split by their bits. A leaf without a directory below it has the empty value.
  public type Tree = {
    #empty;
    #leaf : { name : Blob; below : ?Tree; hash : Blob };
    #fork : { left : Tree; right : Tree; hash : Blob };
  };

  /// Of an empty directory and of an empty value.
  let emptyHash : Blob = "\4e\3e\d3\5c\4e\2d\1e\e8\99\96\48\3f\b6\26\0a\64\cf\fb\6c\47\db\ab\21\6e\79\30\e8\2f\81\90\d1\20";
  let valueHash : Blob = "\d0\01\f3\e7\b8\21\66\c6\d3\43\a1\ef\e7\76\e9\6a\c0\2a\23\a5\1e\08\98\bc\2c\4e\32\3f\ce\0e\62\2c";
  let forkDomain : Blob = "\10ic-hashtree-fork";
  let labeledDomain : Blob = "\13ic-hashtree-labeled";

  public func hashOf(tree : Tree) : Blob {
    switch tree {
      case (#empty) emptyHash;
      case (#leaf { hash }) hash;
      case (#fork { hash }) hash;
    };
  };

  public func forkHash(left : Blob, right : Blob) : Blob { Sha256.hash([forkDomain, left, right]) };
  public func labeledHash(name : Blob, below : Blob) : Blob { Sha256.hash([labeledDomain, name, below]) };

  func leaf(name : Blob, below : ?Tree) : Tree {
    let inner = switch below { case (?tree) hashOf(tree); case null valueHash };
    #leaf { name; below; hash = labeledHash(name, inner) };
  };
  func fork(left : Tree, right : Tree) : Tree {
    #fork { left; right; hash = forkHash(hashOf(left), hashOf(right)) };
  };

  func isRight(name : Blob, depth : Nat) : Bool {
    let byte = name[depth / 8];
    (byte >> (7 - depth % 8 : Nat).toNat8()) & 1 == 1;
  };

  /// The tree with `below` under `name`; nothing of it where `below` is an empty directory.
  func put(tree : Tree, depth : Nat, name : Blob, change : ?Tree -> ?Tree) : Tree {
    switch tree {
      case (#empty) made(name, change(?#empty));
      case (#leaf old) {
        if (old.name == name) return made(name, change(switch (old.below) { case null ?#empty; case tree tree }));
        let grown = if (isRight(old.name, depth)) fork(#empty, tree) else fork(tree, #empty);
        put(grown, depth, name, change);
      };
      case (#fork { left; right }) {
        let (l, r) = if (isRight(name, depth)) (left, put(right, depth + 1, name, change)) else (put(left, depth + 1, name, change), right);
        // What a removal leaves alone moves up: the tree has the shape that it would have without what was removed.
        switch (l, r) {
          case (#empty, #empty) #empty;
          case (#leaf _, #empty) l;
          case (#empty, #leaf _) r;
          case _ fork(l, r);
        };
      };
    };
  };
  func made(name : Blob, below : ?Tree) : Tree {
    switch below { case (?#empty) #empty; case _ leaf(name, below) };
  };

  /// The tree with an empty value at `outer`/`inner`.
  public func add(tree : Tree, outer : Blob, inner : Blob) : Tree {
    put(tree, 0, outer, func(below) {
      let ?directory = below else return null;
      ?put(directory, 0, inner, func _ = null);
    });
  };

  /// The tree without the value at `outer`/`inner`.
  public func remove(tree : Tree, outer : Blob, inner : Blob) : Tree {
    put(tree, 0, outer, func(below) {
      let ?directory = below else return null;
      ?put(directory, 0, inner, func _ = ?#empty);
    });
  };

  public func has(tree : Tree, outer : Blob, inner : Blob) : Bool {
    switch (find(tree, 0, outer)) {
      case (?#leaf { below = ?directory }) find(directory, 0, inner) != null;
      case _ false;
    };
  };
  func find(tree : Tree, depth : Nat, name : Blob) : ?Tree {
    switch tree {
      case (#leaf leaf) if (leaf.name == name) ?tree else null;
      case (#fork { left; right }) find(if (isRight(name, depth)) right else left, depth + 1, name);
      case (#empty) null;
    };
  };

  /// In CBOR, the tree with `path` open and all else as hashes.
  public func witness(tree : Tree, path : [Blob]) : [Blob] { open(tree, 0, path, 0) };

  func open(tree : Tree, depth : Nat, path : [Blob], step : Nat) : [Blob] {
    switch tree {
      case (#empty) ["\81\00"];
      case (#leaf leaf) {
        if (step >= path.size() or leaf.name != path[step]) return pruned(leaf.hash);
        let inner : [Blob] = switch (leaf.below) { case (?directory) open(directory, 0, path, step + 1); case null ["\82\03\40"] };
        labeledCbor(leaf.name, inner);
      };
      case (#fork { left; right }) {
        if (isRight(path[step], depth)) forkCbor(pruned(hashOf(left)), open(right, depth + 1, path, step))
        else forkCbor(open(left, depth + 1, path, step), pruned(hashOf(right)));
      };
    };
  };

  public func pruned(hash : Blob) : [Blob] { ["\82\04\58\20", hash] };
  public func labeledCbor(name : Blob, inner : [Blob]) : [Blob] { ["\83\02" : Blob, head(0x40, name.size()), name].concat(inner) };
  public func forkCbor(left : [Blob], right : [Blob]) : [Blob] { (["\83\01"] : [Blob]).concat(left).concat(right) };

  /// The first bytes of a value of CBOR: its kind (`0x40` bytes, `0x60` text) and its length.
  public func head(kind : Nat8, length : Nat) : Blob {
    if (length < 24) return Blob.fromArray([kind + length.toNat8()]);
    if (length < 256) return Blob.fromArray([kind + 24, length.toNat8()]);
    Blob.fromArray([kind + 25, (length / 256).toNat8(), (length % 256).toNat8()]);
  };
};
