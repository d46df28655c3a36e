/** The canister or the network refused a call; the message is the network's whole text. */
export class RefusedCallError extends Error {
  override readonly name = 'RefusedCallError';
  /** Reject code of the interface specification; undefined when the network did not take the call at all. */
  readonly rejectCode: number | undefined;
  /** Such as `IC0503`. */
  readonly errorCode: string | undefined;

  /** By how much the canister's balance fell all the same, in cycles, where that is told. */
  readonly cycles: bigint | undefined;

  constructor(
    rejectCode: number | undefined,
    errorCode: string | undefined,
    message: string,
    cycles?: bigint,
  ) {
    super(message);
    this.cycles = cycles;
    this.rejectCode = rejectCode;
    this.errorCode = errorCode;
  }
}

/** The network took a call, and did not say in time what became of it. */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError';
}
