/// The rules of a poll: what a question may be, who may vote, and how votes are counted.

import Array "mo:core/Array";
import List "mo:core/List";
import Map "mo:core/Map";
import Principal "mo:core/Principal";
import Result "mo:core/Result";
import Runtime "mo:core/Runtime";
import Text "mo:core/Text";

module {
  /// What the poll is about; given when the canister is installed.
  public type Question = { question : Text; options : [Text] };

  public type Results = {
    question : Text;
    options : [{ text : Text; votes : Nat }];
    voters : Nat;
  };

  public type Ballot = {
    question : Text;
    options : [Text];
    counts : List.List<Nat>;
    votes : Map.Map<Principal, Nat>;
  };

  /// Characters of a question and of an option.
  let questionLength = 300;
  let optionLength = 100;
  let mostOptions = 20;
  /// Each vote takes about 100 bytes; this many keep the canister below 100 MB.
  let mostVoters = 500_000;

  /// An empty poll. Traps, which fails the installation, when the question is missing or out of bounds.
  public func open(given : ?Question) : Ballot {
    let ?{ question; options } = given else Runtime.trap("Give the question and its options.");
    if (question == "" or question.size() > questionLength) {
      Runtime.trap("The question needs 1 to 300 characters.");
    };
    if (options.size() < 2 or options.size() > mostOptions) Runtime.trap("Give 2 to 20 options.");
    for (option in options.values()) {
      if (option == "" or option.size() > optionLength) Runtime.trap("An option needs 1 to 100 characters.");
    };
    {
      question;
      options;
      counts = List.repeat<Nat>(0, options.size());
      votes = Map.empty<Principal, Nat>();
    };
  };

  /// Counts one vote. Everybody can call a canister without a key; such a caller is nobody in particular and cannot vote.
  public func vote(ballot : Ballot, voter : Principal, option : Nat) : Result.Result<(), Text> {
    if (Principal.isAnonymous(voter)) return #err("Sign in to vote.");
    if (option >= ballot.options.size()) return #err("There is no such option.");
    if (Map.containsKey(ballot.votes, Principal.compare, voter)) return #err("You have voted already.");
    if (Map.size(ballot.votes) >= mostVoters) return #err("The poll is full.");
    Map.add(ballot.votes, Principal.compare, voter, option);
    List.put(ballot.counts, option, List.at(ballot.counts, option) + 1);
    #ok;
  };

  public func voteOf(ballot : Ballot, voter : Principal) : ?Nat {
    Map.get(ballot.votes, Principal.compare, voter);
  };

  public func results(ballot : Ballot) : Results {
    {
      question = ballot.question;
      options = Array.mapEntries<Text, { text : Text; votes : Nat }>(
        ballot.options,
        func(text, index) = { text; votes = List.at(ballot.counts, index) },
      );
      voters = Map.size(ballot.votes);
    };
  };
};
