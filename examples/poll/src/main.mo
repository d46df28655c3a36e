/// A poll: one question, some options, one vote for each principal. Version 1.1.0 can be closed.

import Principal "mo:core/Principal";
import Result "mo:core/Result";
import Ballot "Ballot";

// The question is needed for the installation only; an upgrade keeps the ballot and takes `null`.
// The type is written out: the compiler gives its name alone to those who ask for the arguments.
persistent actor class Poll(question : ?{ question : Text; options : [Text] }) {
  let ballot = Ballot.open(question);
  // New in 1.1.0. A canister that is upgraded from 1.0.0 starts with this value.
  var open = true;

  /// Votes for an option, counted from 0. A vote is final.
  public shared ({ caller }) func vote(option : Nat) : async Result.Result<(), Text> {
    if (not open) return #err("The poll is closed.");
    Ballot.vote(ballot, caller, option);
  };

  /// What the caller voted for.
  public shared query ({ caller }) func my_vote() : async ?Nat {
    Ballot.voteOf(ballot, caller);
  };

  public query func results() : async Ballot.Results {
    Ballot.results(ballot);
  };

  /// Ends the poll for good. For controllers of the canister.
  public shared ({ caller }) func close() : async Result.Result<(), Text> {
    if (not Principal.isController(caller)) return #err("Only a controller of this canister can close the poll.");
    open := false;
    #ok;
  };

  public query func is_open() : async Bool {
    open;
  };
};
