/// The blocks of the ledger, each with the hash of the one before, and the certified hash of the last (ICRC-3).

import Array "mo:core/Array";
import CertifiedData "mo:core/CertifiedData";
import List "mo:core/List";
import Nat "mo:core/Nat";
import Nat64 "mo:core/Nat64";
import Bytes "mo:certified/Bytes";
import HashTree "mo:certified/HashTree";
import Types "Types";
import Values "Values";

module {
  public type Log = { blocks : List.List<Types.Value>; var tip : ?Blob };

  /// There is no archive, so the log has an end; a block takes about 1 kB of memory.
  public let mostBlocks = 1_000_000;
  /// Blocks of one answer, which has 2 MB at most, and ranges of one question.
  let mostInAnswer = 1_000;
  let mostRanges = 100;

  public func empty() : Log {
    { blocks = List.empty<Types.Value>(); var tip = null };
  };

  /// Adds a block and certifies it. `fee` is what was charged, where the transaction does not say so itself.
  public func add(log : Log, now : Nat64, tx : Types.Value, fee : ?Nat) : Nat {
    let index = List.size(log.blocks);
    let block = #Map(
      Array.flatten<(Text, Types.Value)>([
        switch fee { case null []; case (?charged) [("fee", #Nat charged)] },
        switch (log.tip) { case null []; case (?parent) [("phash", #Blob parent)] },
        [("ts", #Nat(Nat64.toNat(now))), ("tx", tx)],
      ])
    );
    List.add<Types.Value>(log.blocks, block);
    log.tip := ?Values.hash(block);
    certify(log);
    index;
  };

  /// Certifies the last block; a canister that was upgraded calls it, too.
  public func certify(log : Log) {
    switch (tree log) {
      case (?root) CertifiedData.set(HashTree.hash(root));
      case null {};
    };
  };

  func tree(log : Log) : ?HashTree.Node {
    let ?tip = log.tip else return null;
    let last = Nat.max(List.size(log.blocks), 1) - 1 : Nat;
    ?#level([("last_block_hash", #leaf tip), ("last_block_index", #leaf(Bytes.leb128(last)))]);
  };

  public func certificate(log : Log) : ?Types.TipCertificate {
    let ?root = tree(log) else return null;
    let ?certificate = CertifiedData.getCertificate() else return null;
    ?{ certificate; hash_tree = HashTree.encode(HashTree.reveal(root, [[]])) };
  };

  public func get(log : Log, ranges : [Types.BlockRange]) : Types.Blocks { getAtMost(log, ranges, mostInAnswer) };

  /// The blocks of some ranges, `most` of them if there are more; never more than one answer can have.
  public func getAtMost(log : Log, ranges : [Types.BlockRange], most : Nat) : Types.Blocks {
    let end = Nat.min(most, mostInAnswer);
    let found = List.empty<{ id : Nat; block : Types.Value }>();
    let size = List.size(log.blocks);
    for ({ start; length } in Array.sliceToArray(ranges, 0, Nat.min(mostRanges, ranges.size())).values()) {
      var at = start;
      while (at < Nat.min(start + length, size) and List.size(found) < end) {
        List.add(found, { id = at; block = List.at(log.blocks, at) });
        at += 1;
      };
    };
    { log_length = size; blocks = List.toArray(found); archived_blocks = [] };
  };
};
