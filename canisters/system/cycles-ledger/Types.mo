/// The types of the cycles ledger beside those of ICRC-1, ICRC-2 and ICRC-3 (github.com/dfinity/cycles-ledger, cycles-ledger.did).

import Token "mo:token/Types";

module {
  public type Account = Token.Account;

  public type DepositArgs = { to : Account; memo : ?Blob };
  public type DepositResult = { balance : Nat; block_index : Nat };

  public type RejectionCode = {
    #NoError;
    #CanisterError;
    #SysTransient;
    #DestinationInvalid;
    #Unknown;
    #SysFatal;
    #CanisterReject;
  };

  /// Why nothing was taken from an account.
  public type Refusal = {
    #InsufficientFunds : { balance : Nat };
    #InsufficientAllowance : { allowance : Nat };
    #TooOld;
    #CreatedInFuture : { ledger_time : Nat64 };
    #Duplicate : { duplicate_of : Nat };
    #TemporarilyUnavailable;
    #GenericError : { error_code : Nat; message : Text };
  };

  public type WithdrawArgs = {
    amount : Nat;
    from_subaccount : ?Blob;
    to : Principal;
    created_at_time : ?Nat64;
  };
  public type WithdrawError = {
    #GenericError : { error_code : Nat; message : Text };
    #TemporarilyUnavailable;
    #FailedToWithdraw : { fee_block : ?Nat; rejection_code : RejectionCode; rejection_reason : Text };
    #Duplicate : { duplicate_of : Nat };
    #BadFee : { expected_fee : Nat };
    #InvalidReceiver : { receiver : Principal };
    #CreatedInFuture : { ledger_time : Nat64 };
    #TooOld;
    #InsufficientFunds : { balance : Nat };
  };

  public type WithdrawFromArgs = {
    spender_subaccount : ?Blob;
    from : Account;
    to : Principal;
    amount : Nat;
    created_at_time : ?Nat64;
  };
  public type WithdrawFromError = {
    #GenericError : { error_code : Nat; message : Text };
    #TemporarilyUnavailable;
    #FailedToWithdrawFrom : {
      withdraw_from_block : ?Nat;
      refund_block : ?Nat;
      approval_refund_block : ?Nat;
      rejection_code : RejectionCode;
      rejection_reason : Text;
    };
    #Duplicate : { duplicate_of : Nat };
    #InvalidReceiver : { receiver : Principal };
    #CreatedInFuture : { ledger_time : Nat64 };
    #TooOld;
    #InsufficientFunds : { balance : Nat };
    #InsufficientAllowance : { allowance : Nat };
  };

  /// What the management canister takes at a creation; callers of the real ledger give the first five.
  public type CanisterSettings = {
    controllers : ?[Principal];
    compute_allocation : ?Nat;
    memory_allocation : ?Nat;
    freezing_threshold : ?Nat;
    reserved_cycles_limit : ?Nat;
    wasm_memory_limit : ?Nat;
    wasm_memory_threshold : ?Nat;
    environment_variables : ?[{ name : Text; value : Text }];
  };
  public type CreationArgs = {
    settings : ?CanisterSettings;
    subnet_selection : ?{ #Subnet : { subnet : Principal }; #Filter : { subnet_type : ?Text } };
  };
  public type CreateCanisterArgs = {
    from_subaccount : ?Blob;
    created_at_time : ?Nat64;
    amount : Nat;
    creation_args : ?CreationArgs;
  };
  public type CreateCanisterFromArgs = {
    from : Account;
    spender_subaccount : ?Blob;
    created_at_time : ?Nat64;
    amount : Nat;
    creation_args : ?CreationArgs;
  };
  public type CreateCanisterSuccess = { block_id : Nat; canister_id : Principal };
  public type CreateCanisterError = {
    #InsufficientFunds : { balance : Nat };
    #TooOld;
    #CreatedInFuture : { ledger_time : Nat64 };
    #TemporarilyUnavailable;
    #Duplicate : { duplicate_of : Nat; canister_id : ?Principal };
    #FailedToCreate : { fee_block : ?Nat; refund_block : ?Nat; error : Text };
    #GenericError : { error_code : Nat; message : Text };
  };
  public type CreateCanisterFromError = {
    #InsufficientFunds : { balance : Nat };
    #InsufficientAllowance : { allowance : Nat };
    #TooOld;
    #CreatedInFuture : { ledger_time : Nat64 };
    #TemporarilyUnavailable;
    #Duplicate : { duplicate_of : Nat; canister_id : ?Principal };
    #FailedToCreateFrom : {
      create_from_block : ?Nat;
      refund_block : ?Nat;
      approval_refund_block : ?Nat;
      rejection_code : RejectionCode;
      rejection_reason : Text;
    };
    #GenericError : { error_code : Nat; message : Text };
  };

  /// The part of the management canister that is called with cycles.
  public type Management = actor {
    deposit_cycles : { canister_id : Principal } -> async ();
    create_canister : { settings : ?CanisterSettings } -> async { canister_id : Principal };
  };

  public type GetAllowancesArgs = { from_account : ?Account; prev_spender : ?Account; take : ?Nat };
  public type AllowanceDetail = {
    from_account : Account;
    to_spender : Account;
    allowance : Nat;
    expires_at : ?Nat64;
  };
  public type GetAllowancesResult = {
    #Ok : [AllowanceDetail];
    #Err : {
      #AccessDenied : { reason : Text };
      #GenericError : { error_code : Nat; message : Text };
    };
  };
  public type IndexResult = {
    #Ok : Principal;
    #Err : { #IndexPrincipalNotSet; #GenericError : { error_code : Nat; description : Text } };
  };

  public type HttpRequest = { url : Text; method : Text; body : Blob; headers : [(Text, Text)] };
  public type HttpResponse = { body : Blob; headers : [(Text, Text)]; status_code : Nat16 };
};
