import type { Account } from '../cycles/account.ts';
import type { CallPrepayment, Closure } from '../state/call-context.ts';
import type { IdKey } from '../state/canister-id.ts';
import { StagedLog } from '../state/canister-log.ts';
import type { CanisterRecord } from '../state/canister.ts';
import type { CallerInfo, Print } from '../messages.ts';
import type { EntryPoint } from './entry-point.ts';

/** Constants of the subnet that canisters can ask for. */
export interface SubnetInfo {
  readonly subnetId: Uint8Array;
  readonly rootKeyDer: Uint8Array;
  /** Hears what canisters print. */
  readonly print?: (print: Print) => void;
}

/** What the canister answered; `refund`: the cycles of the call it had not accepted by then. */
export type Response =
  | { readonly kind: 'reply'; readonly data: Uint8Array; readonly refund: bigint }
  | { readonly kind: 'reject'; readonly message: string; readonly refund: bigint };

/** A call under construction, or performed. */
export interface OutgoingCall {
  readonly callee: Uint8Array;
  readonly method: string;
  /** Length of `method` in UTF-8. */
  readonly methodBytes: number;
  readonly onReply: Closure;
  readonly onReject: Closure;
  onCleanup: Closure | undefined;
  readonly data: Uint8Array[];
  dataBytes: number;
  cycles: bigint;
  /** Set when the call is performed. */
  prepaid: CallPrepayment;
  /** Set by `call_with_best_effort_response`. */
  timeoutSeconds: number | undefined;
}

/** The certificate handed to a query, and the value it certifies. */
export interface DataCertificate {
  readonly certificate: Uint8Array;
  readonly certifiedData: Uint8Array;
}

/** A query may ask for its certificate (`value`: the one the caller had at hand, maybe out of date). */
export type CertificateAccess =
  | { readonly allowed: false }
  | { readonly allowed: true; readonly value: DataCertificate | undefined };

/**
 * Input and staged effects of one execution of canister code. System API functions change only this, the heap
 * and the stable memory; whoever started the execution keeps or drops the lot.
 */
export interface MessageContext {
  readonly entry: EntryPoint;
  readonly subnet: SubnetInfo;
  readonly canister: CanisterRecord;
  readonly account: Account;
  readonly version: bigint;
  readonly timeNanos: bigint;
  readonly instructionLimit: bigint;
  readonly caller: Uint8Array;
  /** What a canister certified about the caller. */
  readonly callerInfo: CallerInfo | undefined;
  readonly arg: Uint8Array;
  readonly method: string;
  readonly rejectCode: number;
  readonly rejectMessage: string | undefined;
  readonly deadlineNanos: bigint;
  readonly refunded: bigint;
  /** Instructions used before in the same call context. */
  readonly contextInstructions: bigint;
  readonly certificate: CertificateAccess;
  readonly maxReplyBytes: number;
  /** Calls in flight before this message, to the callee with this key. */
  readonly outstandingTo: (callee: IdKey) => number;

  /** Staged balance; starts as the canister's, without what is prepaid for the message. */
  balance: bigint;
  /** Cycles the canister burned. */
  burned: bigint;
  /** Cycles of the call not accepted yet. */
  cyclesAvailable: bigint;
  /** False once answered, or where there is nobody to answer. */
  canRespond: boolean;
  readonly replyParts: Uint8Array[];
  replyBytes: number;
  response: Response | undefined;
  call: OutgoingCall | undefined;
  readonly calls: OutgoingCall[];
  /** How many of `calls` go to each callee, by the key of its ID. */
  readonly callsTo: Map<IdKey, number>;
  certifiedData: Uint8Array | undefined;
  globalTimer: bigint | undefined;
  /** Kept also when the message fails. */
  readonly log: StagedLog;
  /** What the canister printed, for those who listen to that; empty where nobody does. */
  readonly printed: Uint8Array[];
  messageAccepted: boolean;
  /** The canister was told something that changes while no message runs: the time, or its balance. */
  isToldPassing: boolean;
}

/** The input that differs between entry points; the rest starts empty. */
export type ContextInput = Pick<
  MessageContext,
  | 'entry'
  | 'subnet'
  | 'canister'
  | 'account'
  | 'balance'
  | 'timeNanos'
  | 'instructionLimit'
  | 'caller'
  | 'maxReplyBytes'
> &
  Partial<
    Pick<
      MessageContext,
      | 'arg'
      | 'callerInfo'
      | 'version'
      | 'method'
      | 'rejectCode'
      | 'rejectMessage'
      | 'deadlineNanos'
      | 'refunded'
      | 'contextInstructions'
      | 'certificate'
      | 'cyclesAvailable'
      | 'canRespond'
      | 'outstandingTo'
    >
  >;

const EMPTY = new Uint8Array(0);

export function messageContext(input: ContextInput): MessageContext {
  return {
    version: input.canister.version,
    arg: EMPTY,
    callerInfo: undefined,
    method: '',
    rejectCode: 0,
    rejectMessage: undefined,
    deadlineNanos: 0n,
    refunded: 0n,
    contextInstructions: 0n,
    certificate: { allowed: false },
    outstandingTo: () => 0,
    cyclesAvailable: 0n,
    canRespond: false,
    ...input,
    burned: 0n,
    replyParts: [],
    replyBytes: 0,
    response: undefined,
    call: undefined,
    calls: [],
    callsTo: new Map(),
    certifiedData: undefined,
    globalTimer: undefined,
    log: new StagedLog(Number(input.canister.settings.logMemoryLimit)),
    printed: [],
    messageAccepted: false,
    isToldPassing: false,
  };
}
