/// How transactions are written in blocks: what the caller gave, and nothing else (ICRC-3, "Canonical tx Mapping").

import Array "mo:core/Array";
import Nat64 "mo:core/Nat64";
import Accounts "Accounts";
import Types "Types";

module {
  type Field = (Text, Types.Value);

  func amount(name : Text, given : ?Nat) : [Field] {
    switch given { case null []; case (?number) [(name, #Nat number)] };
  };

  func time(name : Text, given : ?Nat64) : [Field] {
    switch given { case null []; case (?nanos) [(name, #Nat(Nat64.toNat nanos))] };
  };

  func account(name : Text, given : ?Types.Account) : [Field] {
    switch given { case null []; case (?one) [(name, Accounts.value one)] };
  };

  func memo(given : ?Blob) : [Field] {
    switch given { case null []; case (?bytes) [("memo", #Blob bytes)] };
  };

  public func transfer(kind : { #mint; #burn; #xfer }, spender : ?Types.Account, args : Types.TransferFromArgs) : Types.Value {
    #Map(
      Array.flatten<Field>([
        switch kind {
          case (#mint) [("op", #Text "mint")];
          case (#burn) [("op", #Text "burn")];
          case (#xfer) [("op", #Text "xfer")];
        },
        if (kind == #mint) [] else account("from", ?args.from),
        if (kind == #burn) [] else account("to", ?args.to),
        account("spender", spender),
        amount("amt", ?args.amount),
        if (kind == #xfer) amount("fee", args.fee) else [],
        memo(args.memo),
        time("ts", args.created_at_time),
      ])
    );
  };

  public func approval(from : Types.Account, args : Types.ApproveArgs) : Types.Value {
    #Map(
      Array.flatten<Field>([
        [("op", #Text "approve")],
        account("from", ?from),
        account("spender", ?args.spender),
        amount("amt", ?args.amount),
        amount("expected_allowance", args.expected_allowance),
        time("expires_at", args.expires_at),
        amount("fee", args.fee),
        memo(args.memo),
        time("ts", args.created_at_time),
      ])
    );
  };
};
