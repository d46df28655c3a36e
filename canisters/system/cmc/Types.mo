/// Types of the interface of the cycles minting canister, as `cmc.did` of the Internet Computer has them.

module {
  public type BlockIndex = Nat64;

  public type Visibility = { #controllers; #public_; #allowed_viewers : [Principal] };

  /// Settings pass through to the management canister as they came; those it knows too.
  public type CanisterSettings = {
    controllers : ?[Principal];
    compute_allocation : ?Nat;
    memory_allocation : ?Nat;
    freezing_threshold : ?Nat;
    reserved_cycles_limit : ?Nat;
    log_visibility : ?Visibility;
    snapshot_visibility : ?Visibility;
    wasm_memory_limit : ?Nat;
    wasm_memory_threshold : ?Nat;
    environment_variables : ?[{ name : Text; value : Text }];
    log_memory_limit : ?Nat;
  };

  public type SubnetFilter = { subnet_type : ?Text };
  public type SubnetSelection = { #Subnet : { subnet : Principal }; #Filter : SubnetFilter };

  public type CreateCanisterArg = {
    settings : ?CanisterSettings;
    subnet_type : ?Text;
    subnet_selection : ?SubnetSelection;
  };
  public type CreateCanisterError = { #Refunded : { refund_amount : Nat; create_error : Text } };
  public type CreateCanisterResult = { #Ok : Principal; #Err : CreateCanisterError };

  public type NotifyTopUpArg = { block_index : BlockIndex; canister_id : Principal };
  public type NotifyCreateCanisterArg = {
    block_index : BlockIndex;
    controller : Principal;
    subnet_type : ?Text;
    subnet_selection : ?SubnetSelection;
    settings : ?CanisterSettings;
  };
  public type NotifyMintCyclesArg = {
    block_index : BlockIndex;
    to_subaccount : ?Blob;
    deposit_memo : ?Blob;
  };

  public type NotifyError = {
    #Refunded : { reason : Text; block_index : ?BlockIndex };
    #Processing;
    #TransactionTooOld : BlockIndex;
    #InvalidTransaction : Text;
    #Other : { error_code : Nat64; error_message : Text };
  };
  public type NotifyTopUpResult = { #Ok : Nat; #Err : NotifyError };
  public type NotifyCreateCanisterResult = { #Ok : Principal; #Err : NotifyError };
  public type MintedCycles = { block_index : Nat; minted : Nat; balance : Nat };
  public type NotifyMintCyclesResult = { #Ok : MintedCycles; #Err : NotifyError };

  public type IcpXdrConversionRate = { timestamp_seconds : Nat64; xdr_permyriad_per_icp : Nat64 };
  public type IcpXdrConversionRateResponse = {
    data : IcpXdrConversionRate;
    hash_tree : Blob;
    certificate : Blob;
  };

  public type ExchangeRateCanister = { #Set : Principal; #Unset };
  public type Payload = {
    ledger_canister_id : ?Principal;
    governance_canister_id : ?Principal;
    minting_account_id : ?Text;
    last_purged_notification : ?Nat64;
    exchange_rate_canister : ?ExchangeRateCanister;
    cycles_ledger_canister_id : ?Principal;
    /// Of this network alone: where canisters are created, told with the installation, so that none of both happens without the other.
    subnets : ?[Principal];
  };
  public type SubnetListWithType = { subnets : [Principal]; subnet_type : Text };

  public type Account = { owner : Principal; subaccount : ?Blob };
  public type Tokens = { e8s : Nat64 };

  /// The part of a block of the ICP ledger that a payment is read from.
  public type Block = {
    transaction : {
      memo : Nat64;
      icrc1_memo : ?Blob;
      operation : ?{
        #Transfer : { from : Blob; to : Blob; amount : Tokens };
        #Burn : {};
        #Mint : {};
        #Approve : {};
      };
    };
  };
  public type TransferArgs = {
    memo : Nat64;
    amount : Tokens;
    fee : Tokens;
    from_subaccount : ?Blob;
    to : Blob;
    created_at_time : ?{ timestamp_nanos : Nat64 };
  };
  public type TransferError = {
    #BadFee : { expected_fee : Tokens };
    #InsufficientFunds : { balance : Tokens };
    #TxTooOld : { allowed_window_nanos : Nat64 };
    #TxCreatedInFuture;
    #TxDuplicate : { duplicate_of : Nat64 };
  };
  public type Ledger = actor {
    query_blocks : shared query { start : Nat64; length : Nat64 } -> async { blocks : [Block] };
    transfer : shared TransferArgs -> async { #Ok : Nat64; #Err : TransferError };
    icrc1_minting_account : shared query () -> async ?Account;
  };
  public type CyclesLedger = actor {
    deposit : shared { to : Account; memo : ?Blob } -> async { block_index : Nat; balance : Nat };
  };
  public type Management = actor {
    create_canister : shared { settings : ?CanisterSettings } -> async { canister_id : Principal };
    deposit_cycles : shared { canister_id : Principal } -> async ();
  };
};
