/**
 * A canister whose interface has every type that Motoko can name, each method giving back what it was given. Only
 * float32 is missing, which Motoko has no word for.
 */
export const pantrySource = `
import Array "mo:core/Array";
import Runtime "mo:core/Runtime";
persistent actor Pantry {
  public type Flavour = { #sweet; #salty : { grams : Nat8 }; #mixed : { first : Flavour; second : Flavour } };
  public type Tree = { #leaf; #node : { left : Tree; value : Int; right : Tree } };
  public type List = ?{ head : Int; tail : List };
  public type Box = { id : Nat32; tags : [Text]; weight : ?Float };
  public type Shelf = { name : Text; boxes : [Box]; place : (Nat16, Text); flavour : Flavour };
  public type Whole = {
    i8 : Int8; i16 : Int16; i32 : Int32; i64 : Int64;
    n8 : Nat8; n16 : Nat16; n32 : Nat32; n64 : Nat64;
    i : Int; n : Nat;
  };
  public type Ask = shared query Nat -> async Text;
  public type Teller = actor { ask : Ask };
  var kept : Nat = 0;

  /// Gives a shelf back as it was put.
  /// The price is free.
  public func stock(shelf : Shelf) : async Shelf { kept += 1; shelf };
  public query func shelves() : async Nat { kept };
  public query func whole(numbers : Whole) : async Whole { numbers };
  public query func floats(numbers : [Float]) : async [Float] { numbers };
  public query func words(line : Text, letter : Char, yes : Bool) : async (Text, Char, Bool) { (line, letter, yes) };
  public query func tree(root : Tree) : async Tree { root };
  public query func list(first : List) : async List { first };
  public query func bytes(data : Blob) : async Blob { data };
  public query func options(some : ?Text, deep : ??Nat) : async (?Text, ??Nat) { (some, deep) };
  public query func references(who : Principal, ask : Ask, teller : Teller) : async (Principal, Ask, Teller) {
    (who, ask, teller)
  };
  public query func anything(whatever : Any, nothing : Null) : async Any { ignore nothing; whatever };
  public query func never(impossible : None) : async Nat { impossible };
  public query func sum(numbers : [Nat]) : async { count : Nat; total : Nat } {
    var total = 0;
    for (number in numbers.vals()) total += number;
    { count = numbers.size(); total };
  };
  public query func count(until : Nat) : async [Nat] { Array.tabulate<Nat>(until, func i = i) };
  public composite query func both() : async Nat { 2 * (await shelves()) };
  public shared query ({ caller }) func whoami() : async Principal { caller };
  public func note(line : Text) : () { kept += line.size() };
  public func spill() : async () { kept += 1000; Runtime.trap("the shelf fell") };
}`;
