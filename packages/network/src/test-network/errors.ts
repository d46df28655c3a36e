import type { Rejection } from '@cannery/ic/state-leaves';
import type { Principal } from '@icp-sdk/core/principal';

/** What was called; without a canister it is the management canister. */
export interface Called {
  readonly canisterId: Principal | undefined;
  readonly method: string;
}

/** Names of the interface specification, "Reject codes". */
const CODE_NAMES: Readonly<Record<number, string>> = {
  1: 'SYS_FATAL',
  2: 'SYS_TRANSIENT',
  3: 'DESTINATION_INVALID',
  4: 'CANISTER_REJECT',
  5: 'CANISTER_ERROR',
  6: 'SYS_UNKNOWN',
};

const nameOf = ({ canisterId, method }: Called): string =>
  `${method} of ${canisterId ? `canister ${canisterId.toText()}` : 'the management canister'}`;

/** A call or a query ended with a rejection, or was not let in at all. */
export class CallRejectedError extends Error {
  override readonly name = 'CallRejectedError';
  readonly canisterId: Principal | undefined;
  readonly method: string;
  /** 1 to 6, as in the interface specification. */
  readonly rejectCode: number;
  /** `IC0xxx`, which says more. */
  readonly errorCode: string;
  /** What the canister or the network says. */
  readonly rejectMessage: string;

  constructor(called: Called, { rejectCode, errorCode, message }: Rejection) {
    const code = [rejectCode, CODE_NAMES[rejectCode], errorCode].filter(Boolean).join(' ');
    super(`${nameOf(called)} was rejected (${code}): ${message}`);
    this.canisterId = called.canisterId;
    this.method = called.method;
    this.rejectCode = rejectCode;
    this.errorCode = errorCode;
    this.rejectMessage = message;
  }
}

/** A call has no answer after as many rounds as were waited for. */
export class CallUnansweredError extends Error {
  override readonly name = 'CallUnansweredError';
  readonly canisterId: Principal | undefined;
  readonly method: string;

  constructor(called: Called, rounds: number, outcalls: number) {
    const why = outcalls > 0 ? ` HTTP requests that wait for answerOutcall: ${outcalls}.` : '';
    super(`${nameOf(called)} was not answered within ${rounds} rounds.${why}`);
    this.canisterId = called.canisterId;
    this.method = called.method;
  }
}

/** The network is closed, or a fault of this program has ended it; the cause says which. */
export class NetworkEndedError extends Error {
  override readonly name = 'NetworkEndedError';
}
