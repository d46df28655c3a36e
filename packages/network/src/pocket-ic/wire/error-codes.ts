/** Names of reject codes from 1 on, as PocketIC writes them (`packages/pocket-ic/src/lib.rs` of dfinity/ic). */
const REJECT_CODES = [
  'SysFatal',
  'SysTransient',
  'DestinationInvalid',
  'CanisterReject',
  'CanisterError',
  'SysUnknown',
] as const;

/** Names of error codes, from there as well; its client for Rust reads no others. */
const ERROR_CODES: ReadonlyMap<string, string> = new Map([
  ['IC0101', 'SubnetOversubscribed'],
  ['IC0102', 'MaxNumberOfCanistersReached'],
  ['IC0201', 'CanisterQueueFull'],
  ['IC0202', 'IngressMessageTimeout'],
  ['IC0203', 'CanisterQueueNotEmpty'],
  ['IC0204', 'IngressHistoryFull'],
  ['IC0205', 'CanisterIdAlreadyExists'],
  ['IC0206', 'StopCanisterRequestTimeout'],
  ['IC0207', 'CanisterOutOfCycles'],
  ['IC0208', 'CertifiedStateUnavailable'],
  ['IC0209', 'CanisterInstallCodeRateLimited'],
  ['IC0210', 'CanisterHeapDeltaRateLimited'],
  ['IC0301', 'CanisterNotFound'],
  ['IC0305', 'CanisterSnapshotNotFound'],
  ['IC0402', 'InsufficientMemoryAllocation'],
  ['IC0403', 'InsufficientCyclesForCreateCanister'],
  ['IC0404', 'SubnetNotFound'],
  ['IC0405', 'CanisterNotHostedBySubnet'],
  ['IC0406', 'CanisterRejectedMessage'],
  ['IC0407', 'UnknownManagementMessage'],
  ['IC0408', 'InvalidManagementPayload'],
  ['IC0409', 'CanisterSnapshotImmutable'],
  ['IC0502', 'CanisterTrapped'],
  ['IC0503', 'CanisterCalledTrap'],
  ['IC0504', 'CanisterContractViolation'],
  ['IC0505', 'CanisterInvalidWasm'],
  ['IC0506', 'CanisterDidNotReply'],
  ['IC0507', 'CanisterOutOfMemory'],
  ['IC0508', 'CanisterStopped'],
  ['IC0509', 'CanisterStopping'],
  ['IC0510', 'CanisterNotStopped'],
  ['IC0511', 'CanisterStoppingCancelled'],
  ['IC0512', 'CanisterInvalidController'],
  ['IC0513', 'CanisterFunctionNotFound'],
  ['IC0514', 'CanisterNonEmpty'],
  ['IC0517', 'QueryCallGraphLoopDetected'],
  ['IC0520', 'InsufficientCyclesInCall'],
  ['IC0521', 'CanisterWasmEngineError'],
  ['IC0522', 'CanisterInstructionLimitExceeded'],
  ['IC0524', 'CanisterMemoryAccessLimitExceeded'],
  ['IC0525', 'QueryCallGraphTooDeep'],
  ['IC0526', 'QueryCallGraphTotalInstructionLimitExceeded'],
  ['IC0527', 'CompositeQueryCalledInReplicatedMode'],
  ['IC0528', 'QueryTimeLimitExceeded'],
  ['IC0529', 'QueryCallGraphInternal'],
  ['IC0530', 'InsufficientCyclesInComputeAllocation'],
  ['IC0531', 'InsufficientCyclesInMemoryAllocation'],
  ['IC0532', 'InsufficientCyclesInMemoryGrow'],
  ['IC0533', 'ReservedCyclesLimitExceededInMemoryAllocation'],
  ['IC0534', 'ReservedCyclesLimitExceededInMemoryGrow'],
  ['IC0535', 'InsufficientCyclesInMessageMemoryGrow'],
  ['IC0536', 'CanisterMethodNotFound'],
  ['IC0537', 'CanisterWasmModuleNotFound'],
  ['IC0538', 'CanisterAlreadyInstalled'],
  ['IC0539', 'CanisterWasmMemoryLimitExceeded'],
  ['IC0540', 'ReservedCyclesLimitIsTooLow'],
  ['IC0601', 'DeadlineExpired'],
  ['IC0602', 'ResponseDropped'],
]);

/** What an error is taken for that has no name there, by its reject code. */
const OTHERS = [
  'SubnetOversubscribed',
  'CertifiedStateUnavailable',
  'CanisterNotFound',
  'CanisterRejectedMessage',
  'CanisterContractViolation',
  'DeadlineExpired',
] as const;

/** The name of a reject code of the interface specification. */
export function rejectCodeName(rejectCode: number): string {
  return REJECT_CODES[rejectCode - 1] ?? 'SysUnknown';
}

/** The name of an error code, such as that of `IC0503`. */
export function errorCodeName(errorCode: string, rejectCode: number): string {
  return ERROR_CODES.get(errorCode) ?? OTHERS[rejectCode - 1] ?? 'DeadlineExpired';
}
