/// Hash trees of the Internet Computer: what a canister certifies, and the parts of it that a client is shown.

import Array "mo:core/Array";
import Blob "mo:core/Blob";
import List "mo:core/List";
import Nat "mo:core/Nat";
import Text "mo:core/Text";
import Bytes "Bytes";
import Sha256 "Sha256";

module {
  /// Labels in ascending order, each with what is below it.
  public type Level = [(Blob, Node)];
  public type Node = { #level : Level; #leaf : Blob };
  public type Path = [Blob];

  public type Tree = {
    #empty;
    #fork : (Tree, Tree);
    #labeled : (Blob, Tree);
    #leaf : Blob;
    #pruned : Blob;
  };

  /// A level out of labels in any order.
  public func level(entries : [(Blob, Node)]) : Level {
    Array.sort<(Blob, Node)>(entries, func(a, b) = Blob.compare(a.0, b.0));
  };

  /// The hash that a canister certifies with `CertifiedData.set`.
  public func hash(node : Node) : Blob {
    switch node {
      case (#leaf value) Sha256.ofBlobs(["\10ic-hashtree-leaf", value]);
      case (#level entries) rangeHash(entries, 0, entries.size());
    };
  };

  func labeledHash((text, node) : (Blob, Node)) : Blob {
    Sha256.ofBlobs(["\13ic-hashtree-labeled", text, hash(node)]);
  };

  func rangeHash(entries : Level, from : Nat, to : Nat) : Blob {
    if (from == to) return Sha256.ofBlob("\11ic-hashtree-empty");
    if (from + 1 == to) return labeledHash(entries[from]);
    let middle = (from + to) / 2;
    Sha256.ofBlobs(["\10ic-hashtree-fork", rangeHash(entries, from, middle), rangeHash(entries, middle, to)]);
  };

  /// The tree with all that the paths lead to; for a path that leads nowhere, what proves that. The rest is pruned.
  public func reveal(node : Node, paths : [Path]) : Tree {
    switch node {
      case (#leaf value) if (paths.size() == 0) #pruned(hash(node)) else #leaf value;
      case (#level entries) {
        if (paths.size() == 0) return #pruned(hash(node));
        let whole = Array.any<Path>(paths, func path = path.size() == 0);
        let shown = Array.tabulate<?List.List<Path>>(entries.size(), func _ = if whole ?List.singleton<Path>([]) else null);
        let marks = Array.toVarArray<?List.List<Path>>(shown);
        if (not whole) for (path in paths.values()) mark(entries, marks, path);
        revealRange(entries, marks, 0, entries.size());
      };
    };
  };

  /// Notes at the entry that a path leads to how the path goes on; at its two neighbours where there is none.
  func mark(entries : Level, marks : [var ?List.List<Path>], path : Path) {
    let wanted = path[0];
    var at = 0;
    while (at < entries.size() and entries[at].0 < wanted) at += 1;
    if (at < entries.size() and entries[at].0 == wanted) {
      let rest = Array.sliceToArray<Blob>(path, 1, path.size());
      List.add(marksAt(marks, at), rest);
    } else {
      if (at > 0) ignore marksAt(marks, at - 1);
      if (at < entries.size()) ignore marksAt(marks, at);
    };
  };

  func marksAt(marks : [var ?List.List<Path>], at : Nat) : List.List<Path> {
    switch (marks[at]) {
      case (?found) found;
      case null {
        let made = List.empty<Path>();
        marks[at] := ?made;
        made;
      };
    };
  };

  func revealRange(entries : Level, marks : [var ?List.List<Path>], from : Nat, to : Nat) : Tree {
    if (from == to) return #empty;
    if (from + 1 == to) {
      let (text, node) = entries[from];
      return switch (marks[from]) {
        case null #pruned(labeledHash(text, node));
        case (?paths) #labeled(text, reveal(node, List.toArray(paths)));
      };
    };
    let middle = (from + to) / 2;
    switch (revealRange(entries, marks, from, middle), revealRange(entries, marks, middle, to)) {
      case (#pruned left, #pruned right) #pruned(Sha256.ofBlobs(["\10ic-hashtree-fork", left, right]));
      case (left, right) #fork(left, right);
    };
  };

  /// The tree in CBOR, as certificates carry it.
  public func encode(tree : Tree) : Blob {
    let writer = Bytes.cbor();
    write(writer, tree);
    Bytes.blob(writer);
  };

  func write(writer : Bytes.Writer, tree : Tree) {
    let (kind, size) = switch tree {
      case (#empty) (0, 1);
      case (#fork _) (1, 3);
      case (#labeled _) (2, 3);
      case (#leaf _) (3, 2);
      case (#pruned _) (4, 2);
    };
    Bytes.writeArray(writer, size);
    Bytes.writeNumber(writer, kind);
    switch tree {
      case (#empty) {};
      case (#fork(left, right)) { write(writer, left); write(writer, right) };
      case (#labeled(text, below)) { Bytes.writeBlob(writer, text); write(writer, below) };
      case (#leaf value) Bytes.writeBlob(writer, value);
      case (#pruned value) Bytes.writeBlob(writer, value);
    };
  };
};
