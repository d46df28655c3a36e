import { CandidError } from '@cannery/candid';
import type { ErrorCode } from '@cannery/contract';
import {
  AgentError,
  CertifiedRejectErrorCode,
  HttpErrorCode,
  TransportError,
  TrustError,
  UncertifiedRejectErrorCode,
  UncertifiedRejectUpdateErrorCode,
} from '@icp-sdk/core/agent';
import { AppError, textOf } from '../../errors.ts';

export const NETWORK_AWAY = 'The network cannot be reached right now.';

/** What a refusal of the network counts as. */
export type RejectedCode = Extract<ErrorCode, 'network_rejected' | 'install_failed'>;

/** A refusal of the network, with the codes that it gave; nothing is ever decided by its text, which may be a canister's. */
export class RejectedError extends AppError {
  readonly reject: Rejection;

  constructor(rejectedAs: RejectedCode, words: RejectionWords, cause?: unknown) {
    super(rejectedAs, words.message, { detail: words.detail, cause });
    this.reject = words.reject;
  }
}

/**
 * Turns what the agent throws into our words: `network_unavailable` when no answer came, else `rejectedAs` with the
 * network's own sentence.
 */
export function toAppError(error: unknown, rejectedAs: RejectedCode = 'network_rejected'): AppError {
  if (error instanceof AppError) return error;
  const rejection = rejectionOf(error);
  if (rejection !== undefined) return new RejectedError(rejectedAs, rejection, error);
  if (error instanceof CandidError) {
    return new AppError(rejectedAs, 'The answer could not be read.', { detail: error.message, cause: error });
  }
  if (error instanceof TrustError) {
    return new AppError('network_unavailable', "The network's answer could not be verified.", {
      detail: textOf(error),
      cause: error,
    });
  }
  if (error instanceof AgentError && !(error instanceof TransportError) && !isGatewayError(error)) {
    return new AppError(rejectedAs, 'The network did not accept the call.', {
      detail: textOf(error),
      cause: error,
    });
  }
  return new AppError('network_unavailable', NETWORK_AWAY, { detail: textOf(error), cause: error });
}

/** Whether what stands before the network has answered in its place, or the network itself, that it cannot: with a status from 500 on. */
function isGatewayError({ code }: AgentError): boolean {
  return code instanceof HttpErrorCode && code.status >= 500;
}

/** What `read` makes of a reply. @throws AppError network_rejected for a reply that cannot be read */
export function worded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw toAppError(error);
  }
}

/** The network's rejection in an agent error: its first sentence for people, its whole text as detail. */
function rejectionOf(error: unknown): RejectionWords | undefined {
  if (!(error instanceof AgentError)) return undefined;
  const { code } = error;
  const isReject =
    code instanceof CertifiedRejectErrorCode ||
    code instanceof UncertifiedRejectErrorCode ||
    code instanceof UncertifiedRejectUpdateErrorCode;
  return isReject ? wordRejection(code.rejectMessage, code.rejectCode, code.rejectErrorCode) : undefined;
}

/** A rejection as the network worded it. */
export interface Rejection {
  /** By its kind (interface specification, "Reject codes"); 4 is what canisters refuse themselves. */
  readonly code: number;
  /** Such as `IC0503`; undefined where the network gives none. No canister can choose it. */
  readonly errorCode: string | undefined;
  /** A canister may have chosen it. Cut where it is long. */
  readonly text: string;
}

export interface RejectionWords {
  readonly message: string;
  readonly detail: string;
  readonly reject: Rejection;
}

/** Most characters of a refusal that are kept and shown: some backtraces. A canister may refuse with up to 2 MiB. */
export const LONGEST_TEXT = 8_000;
const LONGEST_SENTENCE = 300;
/** Error codes are implementation-specific, and short: those of the replica are such as IC0301 (`rs/types/error_types`). */
const ERROR_CODE = /^[\w.-]{1,40}$/;

/** A text of the network or of a canister, cut where it is longer than anybody reads. */
export function cutText(text: string, most = LONGEST_TEXT): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/**
 * @param text the reject message of the network, which may be long and end in a backtrace
 * @param errorCode what the network says beside it; anything else than a short word counts as nothing
 */
export function wordRejection(
  text: string,
  rejectCode: number,
  errorCode: string | undefined,
): RejectionWords {
  const kept = cutText(text);
  const [line = ''] = kept.split('\n', 1);
  const message = cutText(line, LONGEST_SENTENCE);
  const code = errorCode !== undefined && ERROR_CODE.test(errorCode) ? errorCode : undefined;
  const codes = [`reject code ${rejectCode}`, ...(code === undefined ? [] : [code])].join(', ');
  return {
    message: message === '' ? 'The network refused the call.' : message,
    detail: `${kept} (${codes})`,
    reject: { code: rejectCode, errorCode: code, text: kept },
  };
}

/** SYS_TRANSIENT (interface specification): what the network itself refuses for now. Canisters cannot refuse with it. */
const TRANSIENT = 2;

/**
 * The canister cannot pay for taking in a message, as when it is frozen: IC0207, "out of cycles". Where the network gives no error
 * code it may be, for a refusal of the network itself: only ask what costs the canister nothing then.
 */
export function maybeOutOfCycles(error: unknown): boolean {
  if (!(error instanceof RejectedError)) return false;
  const { code, errorCode } = error.reject;
  return errorCode === undefined ? code === TRANSIENT : errorCode === 'IC0207';
}
