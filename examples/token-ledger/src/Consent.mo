/// What a wallet shows before its owner signs a call (ICRC-21): what the call does, in words and amounts.

import Array "mo:core/Array";
import Nat "mo:core/Nat";
import Nat64 "mo:core/Nat64";
import Nat8 "mo:core/Nat8";
import Text "mo:core/Text";
import Dates "mo:certified/Dates";
import AccountText "AccountText";
import Types "Types";

module {
  public type Metadata = { language : Text; utc_offset_minutes : ?Int16 };
  public type Request = {
    method : Text;
    arg : Blob;
    user_preferences : { metadata : Metadata; device_spec : ?{ #GenericDisplay; #FieldsDisplay } };
  };
  public type Value = {
    #TokenAmount : { decimals : Nat8; amount : Nat64; symbol : Text };
    #TimestampSeconds : { amount : Nat64 };
    #DurationSeconds : { amount : Nat64 };
    #Text : { content : Text };
  };
  public type Message = {
    #GenericDisplayMessage : Text;
    #FieldsDisplayMessage : { intent : Text; fields : [(Text, Value)] };
  };
  public type Error = {
    #UnsupportedCanisterCall : { description : Text };
    #ConsentMessageUnavailable : { description : Text };
    #InsufficientPayment : { description : Text };
    #GenericError : { error_code : Nat; description : Text };
  };
  public type Response = {
    #Ok : { consent_message : Message; metadata : Metadata };
    #Err : Error;
  };

  public type Token = { name : Text; symbol : Text; decimals : Nat8; fee : Nat };
  public type Part = { #amount : Nat; #code : Text; #time : Nat64; #none : Text };
  /// What a call does, once its argument is read.
  public type Statement = { intent : Text; fields : [(Text, Part)] };

  /// Larger arguments are no transfers.
  public let largestArgument = 10_000;
  /// The largest number of a field of an amount.
  let mostInField : Nat = 18_446_744_073_709_551_615;

  /// What the methods of ICRC-1 and ICRC-2 do; null for another method, or an argument that is not the method's.
  public func statement(token : Token, caller : Principal, { method; arg } : Request) : ?Statement {
    if (arg.size() > largestArgument) return null;
    switch method {
      case "icrc1_transfer" {
        let ?args : ?Types.TransferArgs = from_candid arg else return null;
        let from = { owner = caller; subaccount = args.from_subaccount };
        ?{
          intent = "Send " # token.name;
          fields = Array.flatten<(Text, Part)>([
            [("From", account from), ("Amount", #amount(args.amount)), ("To", account(args.to))],
            fees(token, args.fee),
            memo(args.memo),
          ]);
        };
      };
      case "icrc2_approve" {
        let ?args : ?Types.ApproveArgs = from_candid arg else return null;
        let from = { owner = caller; subaccount = args.from_subaccount };
        ?{
          intent = "Approve spending";
          fields = Array.flatten<(Text, Part)>([
            [("From", account from), ("Approve to spender", account(args.spender)), ("Requested allowance", #amount(args.amount))],
            switch (args.expected_allowance) { case null []; case (?expected) [("Existing allowance", #amount expected)] },
            [("Approval expiration", switch (args.expires_at) { case null #none "This approval does not expire."; case (?nanos) #time nanos })],
            fees(token, args.fee),
            [("Transaction fees to be paid by your subaccount", account from)],
            memo(args.memo),
          ]);
        };
      };
      case "icrc2_transfer_from" {
        let ?args : ?Types.TransferFromArgs = from_candid arg else return null;
        let spender = { owner = caller; subaccount = args.spender_subaccount };
        ?{
          intent = "Spend " # token.name;
          fields = Array.flatten<(Text, Part)>([
            [("From", account(args.from)), ("Amount", #amount(args.amount)), ("Spender", account spender), ("To", account(args.to))],
            fees(token, args.fee),
            memo(args.memo),
          ]);
        };
      };
      case _ null;
    };
  };

  public func account(of : Types.Account) : Part { #code(AccountText.toText of) };

  func fees({ fee } : Token, given : ?Nat) : [(Text, Part)] {
    [("Fees", #amount(switch given { case null fee; case (?named) named }))];
  };

  public func memo(given : ?Blob) : [(Text, Part)] {
    switch given { case null []; case (?bytes) [("Memo", #code("0x" # AccountText.hex bytes))] };
  };

  /// The answer to a wallet, in English: for a display of texts, or of fields.
  public func answer(token : Token, { method; user_preferences } : Request, said : ?Statement) : Response {
    let ?{ intent; fields } = said else return #Err(#UnsupportedCanisterCall { description = "There are no words for a call of " # method # " with this argument." });
    let consent_message : Message = switch (user_preferences.device_spec) {
      case (?#FieldsDisplay) #FieldsDisplayMessage {
        intent;
        fields = Array.map<(Text, Part), (Text, Value)>(fields, func(name, part) = (name, value(token, part)));
      };
      case _ {
        let lines = Array.map<(Text, Part), Text>(fields, func(name, part) = "\n\n**" # name # ":** " # shown(token, part));
        #GenericDisplayMessage("# " # intent # Text.join(lines.values(), ""));
      };
    };
    #Ok { consent_message; metadata = { language = "en"; utc_offset_minutes = user_preferences.metadata.utc_offset_minutes } };
  };

  func value(token : Token, part : Part) : Value {
    switch part {
      case (#amount number) if (number <= mostInField) #TokenAmount {
        decimals = token.decimals;
        amount = Nat64.fromNat number;
        symbol = token.symbol;
      } else #Text { content = decimal(token, number) };
      case (#code text) #Text { content = text };
      case (#time nanos) #TimestampSeconds { amount = nanos / 1_000_000_000 };
      case (#none text) #Text { content = text };
    };
  };

  func shown(token : Token, part : Part) : Text {
    switch part {
      case (#amount number) "`" # decimal(token, number) # "`";
      case (#code text) "`" # text # "`";
      case (#time nanos) "`" # Dates.minute(Nat64.toNat nanos) # "`";
      case (#none text) text;
    };
  };

  /// An amount with the point where the decimals of the token have it, and its symbol.
  func decimal({ decimals; symbol } : Token, amount : Nat) : Text {
    let unit = 10 ** Nat8.toNat decimals;
    let rest = Nat.toText(unit + amount % unit);
    // Written with a 1 before it, so that its zeros stay.
    let after = Text.trimEnd(tail rest, #char '0');
    Nat.toText(amount / unit) # (if (after == "") "" else "." # after) # " " # symbol;
  };

  func tail(text : Text) : Text {
    let chars = text.chars();
    ignore chars.next();
    Text.fromIter chars;
  };
};
