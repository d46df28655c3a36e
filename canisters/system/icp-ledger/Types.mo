/// The types of the ICP ledger beside those of ICRC-1, ICRC-2 and ICRC-3 (github.com/dfinity/ic, rs/ledger_suite/icp/ledger.did).

import Token "mo:token/Types";

module {
  public type Account = Token.Account;
  /// Tokens in 10^-8 ICP.
  public type Tokens = { e8s : Nat64 };
  public type TimeStamp = { timestamp_nanos : Nat64 };
  /// 32 bytes; the first 4 are the CRC-32 of the rest.
  public type Identifier = Blob;

  public type Duration = { secs : Nat64; nanos : Nat32 };

  public type TransferArgs = {
    memo : Nat64;
    amount : Tokens;
    fee : Tokens;
    from_subaccount : ?Blob;
    to : Identifier;
    created_at_time : ?TimeStamp;
  };
  public type TransferError = {
    #BadFee : { expected_fee : Tokens };
    #InsufficientFunds : { balance : Tokens };
    #TxTooOld : { allowed_window_nanos : Nat64 };
    #TxCreatedInFuture;
    #TxDuplicate : { duplicate_of : Nat64 };
  };
  public type TransferResult = { #Ok : Nat64; #Err : TransferError };
  public type SendArgs = {
    memo : Nat64;
    amount : Tokens;
    fee : Tokens;
    from_subaccount : ?Blob;
    to : Text;
    created_at_time : ?TimeStamp;
  };

  public type Operation = {
    #Mint : { to : Identifier; amount : Tokens };
    #Burn : { from : Identifier; spender : ?Identifier; amount : Tokens };
    #Transfer : {
      from : Identifier;
      to : Identifier;
      amount : Tokens;
      fee : Tokens;
      spender : ?Identifier;
    };
    #Approve : {
      from : Identifier;
      spender : Identifier;
      allowance_e8s : Int;
      allowance : Tokens;
      fee : Tokens;
      expires_at : ?TimeStamp;
      expected_allowance : ?Tokens;
    };
  };
  public type Transaction = {
    memo : Nat64;
    icrc1_memo : ?Blob;
    operation : ?Operation;
    created_at_time : TimeStamp;
  };
  public type Block = { parent_hash : ?Blob; transaction : Transaction; timestamp : TimeStamp };

  public type GetBlocksArgs = { start : Nat64; length : Nat64 };
  public type QueryArchiveError = {
    #BadFirstBlockIndex : { requested_index : Nat64; first_valid_index : Nat64 };
    #Other : { error_code : Nat64; error_message : Text };
  };
  public type QueryBlocksResponse = {
    chain_length : Nat64;
    certificate : ?Blob;
    blocks : [Block];
    first_block_index : Nat64;
    archived_blocks : [{
      start : Nat64;
      length : Nat64;
      callback : shared query GetBlocksArgs -> async { #Ok : { blocks : [Block] }; #Err : QueryArchiveError };
    }];
  };
  public type QueryEncodedBlocksResponse = {
    chain_length : Nat64;
    certificate : ?Blob;
    blocks : [Blob];
    first_block_index : Nat64;
    archived_blocks : [{
      start : Nat64;
      length : Nat64;
      callback : shared query GetBlocksArgs -> async { #Ok : [Blob]; #Err : QueryArchiveError };
    }];
  };

  public type GetAllowancesArgs = { from_account_id : Text; prev_spender_id : ?Text; take : ?Nat64 };
  public type AllowanceDetail = {
    from_account_id : Text;
    to_spender_id : Text;
    allowance : Tokens;
    expires_at : ?Nat64;
  };
  public type RemoveApprovalArgs = { from_subaccount : ?Blob; spender : Identifier; fee : ?Nat };
  public type IndexResult = {
    #Ok : Principal;
    #Err : { #IndexPrincipalNotSet; #GenericError : { error_code : Nat; description : Text } };
  };
};
