/// Version 1.0.0 of the poll.

import Result "mo:core/Result";
import Ballot "../src/Ballot";

// The type is written out: the compiler gives its name alone to those who ask for the arguments.
persistent actor class Poll(question : ?{ question : Text; options : [Text] }) {
  let ballot = Ballot.open(question);

  /// Votes for an option, counted from 0. A vote is final.
  public shared ({ caller }) func vote(option : Nat) : async Result.Result<(), Text> {
    Ballot.vote(ballot, caller, option);
  };

  /// What the caller voted for.
  public shared query ({ caller }) func my_vote() : async ?Nat {
    Ballot.voteOf(ballot, caller);
  };

  public query func results() : async Ballot.Results {
    Ballot.results(ballot);
  };
};
