/// The operations of the ledger. Each either changes balances and writes one block, or changes nothing and says why.

import Nat "mo:core/Nat";
import Accounts "Accounts";
import State "State";
import Transactions "Transactions";
import Types "Types";

module {
  public func transfer(state : State.State, now : Nat64, caller : Principal, args : Types.TransferArgs) : Types.TransferResult {
    let from : Types.Account = { owner = caller; subaccount = args.from_subaccount };
    switch (plan(state, now, null, { args with from; spender_subaccount = null })) {
      case (#err error) #Err error;
      case (#ok planned) carryOut(state, now, planned);
    };
  };

  public func transferFrom(state : State.State, now : Nat64, caller : Principal, args : Types.TransferFromArgs) : Types.TransferFromResult {
    let spender : Types.Account = { owner = caller; subaccount = args.spender_subaccount };
    let planned = switch (plan(state, now, ?spender, args)) {
      case (#err error) return #Err error;
      case (#ok planned) planned;
    };
    if (Accounts.key spender == Accounts.key(args.from)) return carryOut(state, now, planned);
    // Nobody can give an allowance on the minting account: not for nothing either, which would be a block without a fee.
    if (planned.kind == #mint) return #Err(#InsufficientAllowance { allowance = 0 });
    let { allowance; expires_at } = State.allowance(state, now, args.from, spender);
    let needed = args.amount + planned.request.cost;
    if (allowance < needed) return #Err(#InsufficientAllowance { allowance });
    let result = carryOut(state, now, planned);
    switch result {
      case (#Ok _) State.setAllowance(state, args.from, spender, { allowance = allowance - needed : Nat; expires_at });
      case (#Err _) {};
    };
    result;
  };

  public func approve(state : State.State, now : Nat64, caller : Principal, args : Types.ApproveArgs) : Types.ApproveResult {
    let from : Types.Account = { owner = caller; subaccount = args.from_subaccount };
    switch (args.expected_allowance) {
      // No allowance is that large, and a number of any length is not hashed.
      case (?expected) if (expected > State.most) return #Err(State.refuse(3, "The amount is too large."));
      case null {};
    };
    let request : State.Request = {
      args with
      accounts = [from, args.spender];
      cost = state.fee;
      tx = Transactions.approval(from, args);
    };
    switch (State.objection(state, now, request)) {
      case (?error) return #Err error;
      case null {};
    };
    if (args.spender.owner == caller) return #Err(State.refuse(5, "An owner needs no approval to spend."));
    if (State.isMinting(state, from)) return #Err(State.refuse(6, "The minting account cannot approve."));
    switch (args.expires_at) {
      case (?end) if (end <= now) return #Err(#Expired { ledger_time = now });
      case null {};
    };
    let { allowance } = State.allowance(state, now, from, args.spender);
    switch (args.expected_allowance) {
      case (?expected) if (expected != allowance) return #Err(#AllowanceChanged { current_allowance = allowance });
      case null {};
    };
    let balance = State.balance(state, from);
    if (balance < state.fee) return #Err(#InsufficientFunds { balance });
    State.debit(state, from, state.fee);
    state.supply -= state.fee;
    State.setAllowance(state, from, args.spender, { allowance = args.amount; expires_at = args.expires_at });
    #Ok(State.record(state, now, request));
  };

  type Kind = { #mint; #burn; #xfer };
  type Plan = { kind : Kind; args : Types.TransferFromArgs; request : State.Request };

  /// What a transfer means, once nothing but the funds can be missing.
  func plan(state : State.State, now : Nat64, spender : ?Types.Account, args : Types.TransferFromArgs) : { #ok : Plan; #err : Types.TransferError } {
    let kind : Kind = switch (State.isMinting(state, args.from), State.isMinting(state, args.to)) {
      case (true, true) return #err(State.refuse(6, "The minting account cannot transfer to itself."));
      case (true, false) #mint;
      case (false, true) #burn;
      case (false, false) #xfer;
    };
    let accounts = switch spender { case null [args.from, args.to]; case (?one) [args.from, args.to, one] };
    let request : State.Request = {
      args with
      accounts;
      cost = if (kind == #xfer) state.fee else 0;
      tx = Transactions.transfer(kind, spender, args);
    };
    switch (State.objection(state, now, request)) {
      case (?error) return #err error;
      case null {};
    };
    if (kind == #mint and state.supply + args.amount > State.most) return #err(State.refuse(3, "There would be too many tokens."));
    // Less than a fee cannot be burnt, but the rest of an account can.
    let leastBurn = Nat.min(state.fee, State.balance(state, args.from));
    // To burn nothing would be a block without a fee.
    if (kind == #burn and args.amount == 0) return #err(#BadBurn { min_burn_amount = Nat.max(state.fee, 1) });
    if (kind == #burn and args.amount < leastBurn) return #err(#BadBurn { min_burn_amount = leastBurn });
    #ok { kind; args; request };
  };

  func carryOut(state : State.State, now : Nat64, { kind; args; request } : Plan) : Types.TransferResult {
    if (kind != #mint) {
      let balance = State.balance(state, args.from);
      let needed = args.amount + request.cost;
      if (balance < needed) return #Err(#InsufficientFunds { balance });
      State.debit(state, args.from, needed);
    };
    if (kind != #burn) State.credit(state, args.to, args.amount);
    switch kind {
      case (#mint) state.supply += args.amount;
      case (#burn) state.supply -= args.amount;
      // The fee is burnt.
      case (#xfer) state.supply -= request.cost;
    };
    #Ok(State.record(state, now, request));
  };
};
