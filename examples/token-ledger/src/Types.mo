/// The types of ICRC-1, ICRC-2 and ICRC-3 (github.com/dfinity/ICRC-1), and what the ledger is installed with.

module {
  public type Account = { owner : Principal; subaccount : ?Blob };

  /// What the ledger is installed with.
  public type Init = {
    name : Text;
    symbol : Text;
    decimals : Nat8;
    /// Taken from the sender of each transfer and approval, and burnt.
    fee : Nat;
    /// Transfers from it make tokens, transfers to it destroy them; without one the supply can only shrink.
    minting_account : ?Account;
    initial_balances : [(Account, Nat)];
  };

  public type TransferArgs = {
    from_subaccount : ?Blob;
    to : Account;
    amount : Nat;
    fee : ?Nat;
    memo : ?Blob;
    created_at_time : ?Nat64;
  };

  /// Errors that every operation has.
  public type CommonError = {
    #BadFee : { expected_fee : Nat };
    #InsufficientFunds : { balance : Nat };
    #TooOld;
    #CreatedInFuture : { ledger_time : Nat64 };
    #Duplicate : { duplicate_of : Nat };
    #TemporarilyUnavailable;
    #GenericError : { error_code : Nat; message : Text };
  };
  public type TransferError = CommonError or { #BadBurn : { min_burn_amount : Nat } };
  public type TransferResult = { #Ok : Nat; #Err : TransferError };

  public type ApproveArgs = {
    from_subaccount : ?Blob;
    spender : Account;
    amount : Nat;
    expected_allowance : ?Nat;
    expires_at : ?Nat64;
    fee : ?Nat;
    memo : ?Blob;
    created_at_time : ?Nat64;
  };
  public type ApproveError = CommonError or {
    #AllowanceChanged : { current_allowance : Nat };
    #Expired : { ledger_time : Nat64 };
  };
  public type ApproveResult = { #Ok : Nat; #Err : ApproveError };

  public type TransferFromArgs = {
    spender_subaccount : ?Blob;
    from : Account;
    to : Account;
    amount : Nat;
    fee : ?Nat;
    memo : ?Blob;
    created_at_time : ?Nat64;
  };
  public type TransferFromError = TransferError or { #InsufficientAllowance : { allowance : Nat } };
  public type TransferFromResult = { #Ok : Nat; #Err : TransferFromError };

  public type Allowance = { allowance : Nat; expires_at : ?Nat64 };
  public type AllowanceArgs = { account : Account; spender : Account };

  public type MetadataValue = { #Nat : Nat; #Int : Int; #Text : Text; #Blob : Blob };
  public type Standard = { name : Text; url : Text };

  /// A block, or a part of one, in the form that is hashed.
  public type Value = {
    #Blob : Blob;
    #Text : Text;
    #Nat : Nat;
    #Int : Int;
    #Array : [Value];
    #Map : [(Text, Value)];
  };

  public type BlockRange = { start : Nat; length : Nat };
  public type Blocks = {
    log_length : Nat;
    blocks : [{ id : Nat; block : Value }];
    archived_blocks : [{ args : [BlockRange]; callback : shared query [BlockRange] -> async Blocks }];
  };
  public type TipCertificate = { certificate : Blob; hash_tree : Blob };
};
