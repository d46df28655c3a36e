/// What happened, as the ledger keeps it, and its three forms: as the older interface answers it, in the bytes that its hashes
/// are of (github.com/dfinity/ic, ic_ledger/pb/v1/types.proto), and as ICRC-3 has it.

import Array "mo:core/Array";
import Blob "mo:core/Blob";
import List "mo:core/List";
import Nat64 "mo:core/Nat64";
import Nat8 "mo:core/Nat8";
import Accounts "mo:token/Accounts";
import Token "mo:token/Types";
import Types "Types";

module {
  /// An account by its identifier, and who owns it where that was said.
  public type Party = { id : Types.Identifier; account : ?Types.Account };

  public type Operation = {
    #mint : { to : Party; amount : Nat64 };
    #burn : { from : Party; spender : ?Party; amount : Nat64 };
    #transfer : { from : Party; to : Party; spender : ?Party; amount : Nat64; fee : Nat64 };
    #approve : {
      from : Party;
      spender : Party;
      allowance : Nat64;
      fee : Nat64;
      expires_at : ?Nat64;
      expected_allowance : ?Nat64;
    };
  };
  public type Transaction = {
    operation : Operation;
    memo : Nat64;
    icrc1_memo : ?Blob;
    created_at_time : Nat64;
  };
  public type Block = { parent_hash : ?Blob; timestamp : Nat64; transaction : Transaction };

  /// As the older interface answers it.
  public func shown({ parent_hash; timestamp; transaction } : Block) : Types.Block {
    let operation : Types.Operation = switch (transaction.operation) {
      case (#mint { to; amount }) #Mint { to = to.id; amount = { e8s = amount } };
      case (#burn { from; spender; amount }) #Burn { from = from.id; spender = idOf spender; amount = { e8s = amount } };
      case (#transfer { from; to; spender; amount; fee }) #Transfer {
        from = from.id;
        to = to.id;
        spender = idOf spender;
        amount = { e8s = amount };
        fee = { e8s = fee };
      };
      case (#approve it) #Approve {
        from = it.from.id;
        spender = it.spender.id;
        allowance_e8s = Nat64.toNat(it.allowance);
        allowance = { e8s = it.allowance };
        fee = { e8s = it.fee };
        expires_at = timeOf(it.expires_at);
        expected_allowance = switch (it.expected_allowance) { case null null; case (?e8s) ?{ e8s } };
      };
    };
    {
      parent_hash;
      timestamp = { timestamp_nanos = timestamp };
      transaction = {
        memo = transaction.memo;
        icrc1_memo = transaction.icrc1_memo;
        operation = ?operation;
        created_at_time = { timestamp_nanos = transaction.created_at_time };
      };
    };
  };

  func idOf(party : ?Party) : ?Types.Identifier {
    switch party { case null null; case (?{ id }) ?id };
  };

  func timeOf(nanos : ?Nat64) : ?Types.TimeStamp {
    switch nanos { case null null; case (?timestamp_nanos) ?{ timestamp_nanos } };
  };

  type Writer = List.List<Nat8>;

  func varint(out : Writer, number : Nat64) {
    var rest = number;
    while (rest >= 0x80) {
      List.add(out, Nat8.fromNat(Nat64.toNat(rest % 0x80 + 0x80)));
      rest /= 0x80;
    };
    List.add(out, Nat8.fromNat(Nat64.toNat rest));
  };

  /// A field of a number; one that is 0 is left out.
  func number(field : Nat64, value : Nat64) : [Nat8] {
    let out = List.empty<Nat8>();
    if (value != 0) {
      varint(out, field * 8);
      varint(out, value);
    };
    List.toArray out;
  };

  /// A field of bytes, or of a message of fields.
  func bytes(field : Nat64, value : [Nat8]) : [Nat8] {
    let out = List.empty<Nat8>();
    varint(out, field * 8 + 2);
    varint(out, Nat64.fromNat(value.size()));
    List.addAll(out, value.values());
    List.toArray out;
  };

  func message(field : Nat64, parts : [[Nat8]]) : [Nat8] { bytes(field, Array.flatten<Nat8> parts) };
  func blob(field : Nat64, value : Blob) : [Nat8] { bytes(field, Blob.toArray value) };
  func party(field : Nat64, { id } : Party) : [Nat8] { message(field, [blob(1, id)]) };
  func amount(field : Nat64, e8s : Nat64) : [Nat8] { message(field, [number(1, e8s)]) };
  func amountIf(field : Nat64, e8s : ?Nat64) : [Nat8] { switch e8s { case null []; case (?given) amount(field, given) } };

  public func encodeTransaction({ operation; memo; icrc1_memo; created_at_time } : Transaction) : [[Nat8]] {
    let moved = switch operation {
      case (#burn it) message(1, [
        party(1, it.from),
        amount(3, it.amount),
        switch (it.spender) { case null []; case (?spender) party(4, spender) },
      ]);
      case (#mint it) message(2, [party(2, it.to), amount(3, it.amount)]);
      case (#transfer it) message(3, [
        party(1, it.from),
        party(2, it.to),
        amount(3, it.amount),
        amount(4, it.fee),
        switch (it.spender) { case null []; case (?spender) message(6, [party(1, spender)]) },
      ]);
      case (#approve it) message(3, [
        party(1, it.from),
        party(2, it.spender),
        amount(3, 0),
        amount(4, it.fee),
        message(5, [amount(1, it.allowance), amountIf(2, it.expires_at), amountIf(3, it.expected_allowance)]),
      ]);
    };
    [
      moved,
      message(4, [number(1, memo)]),
      message(6, [number(1, created_at_time)]),
      switch icrc1_memo { case null []; case (?given) message(7, [blob(1, given)]) },
    ];
  };

  /// The bytes of which the hash is the next block's `parent_hash`.
  public func encode({ parent_hash; timestamp; transaction } : Block) : Blob {
    Blob.fromArray(
      Array.flatten<Nat8>([
        switch parent_hash { case null []; case (?hash) message(1, [blob(1, hash)]) },
        message(2, [number(1, timestamp)]),
        message(3, encodeTransaction transaction),
      ])
    );
  };

  type Field = (Text, Token.Value);

  /// As ICRC-3 has it. Where an account was named by its identifier alone, it is that, and the kind of the block is ours.
  public func value({ timestamp; transaction } : Block, phash : ?Blob) : Token.Value {
    let (kind, parties, rest) : (Text, [?Party], [Field]) = switch (transaction.operation) {
      case (#mint it) ("1mint", [?it.to], [("op", #Text "mint"), ("to", partyValue(it.to)), amt(it.amount)]);
      case (#burn it) ("1burn", [?it.from, it.spender], Array.concat(spenderField(it.spender), [("op", #Text "burn"), ("from", partyValue(it.from)), amt(it.amount)]));
      case (#transfer it) (
        switch (it.spender) { case null "1xfer"; case _ "2xfer" },
        [?it.from, ?it.to, it.spender],
        Array.concat(
          spenderField(it.spender),
          [("op", #Text "xfer"), ("from", partyValue(it.from)), ("to", partyValue(it.to)), amt(it.amount), nat64("fee", it.fee)],
        ),
      );
      case (#approve it) (
        "2approve",
        [?it.from, ?it.spender],
        Array.flatten<Field>([
          [("op", #Text "approve"), ("from", partyValue(it.from)), ("spender", partyValue(it.spender)), amt(it.allowance), nat64("fee", it.fee)],
          nat64If("expected_allowance", it.expected_allowance),
          nat64If("expires_at", it.expires_at),
        ]),
      );
    };
    let isKnown = Array.all<?Party>(parties, func one = switch one { case (?{ account = null }) false; case _ true });
    let memo : [Field] = switch (transaction.icrc1_memo) {
      case (?given) [("memo", #Blob given)];
      case null if (transaction.memo == 0) [] else [nat64("icp_memo", transaction.memo)];
    };
    #Map(
      Array.flatten<Field>([
        [("btype", #Text(if isKnown kind else "icp:" # kind))],
        switch phash { case null []; case (?hash) [("phash", #Blob hash)] },
        [nat64("ts", timestamp), ("tx", #Map(Array.flatten<Field>([rest, memo, [nat64("ts", transaction.created_at_time)]])))],
      ])
    );
  };

  func amt(e8s : Nat64) : Field { nat64("amt", e8s) };
  func nat64(name : Text, number : Nat64) : Field { (name, #Nat(Nat64.toNat number)) };
  func nat64If(name : Text, number : ?Nat64) : [Field] { switch number { case null []; case (?given) [nat64(name, given)] } };
  func spenderField(spender : ?Party) : [Field] { switch spender { case null []; case (?one) [("spender", partyValue one)] } };

  func partyValue({ id; account } : Party) : Token.Value {
    switch account { case null #Blob id; case (?known) Accounts.value known };
  };
};
