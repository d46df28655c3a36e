import { CandidError } from '@cannery/candid';
import type { ErrorCode } from '@cannery/contract';
import {
  AgentError,
  CertifiedRejectErrorCode,
  TransportError,
  TrustError,
  UncertifiedRejectErrorCode,
  UncertifiedRejectUpdateErrorCode,
} from '@icp-sdk/core/agent';
import { AppError, textOf } from '../errors.ts';

export const NETWORK_AWAY = 'The network cannot be reached right now.';

/** What a refusal of the network counts as. */
export type RejectedCode = Extract<ErrorCode, 'network_rejected' | 'install_failed'>;

/**
 * Turns what the agent throws into our words: `network_unavailable` when no answer came, else `rejectedAs` with the
 * network's own sentence.
 */
export function toAppError(error: unknown, rejectedAs: RejectedCode = 'network_rejected'): AppError {
  if (error instanceof AppError) return error;
  const rejection = rejectionOf(error);
  if (rejection !== undefined) {
    return new AppError(rejectedAs, rejection.message, { detail: rejection.detail, cause: error });
  }
  if (error instanceof CandidError) {
    return new AppError(rejectedAs, 'The answer could not be read.', { detail: error.message, cause: error });
  }
  if (error instanceof TrustError) {
    return new AppError('network_unavailable', "The network's answer could not be verified.", {
      detail: textOf(error),
      cause: error,
    });
  }
  if (error instanceof AgentError && !(error instanceof TransportError)) {
    return new AppError(rejectedAs, 'The network did not accept the call.', {
      detail: textOf(error),
      cause: error,
    });
  }
  return new AppError('network_unavailable', NETWORK_AWAY, { detail: textOf(error), cause: error });
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
function rejectionOf(error: unknown): { message: string; detail: string } | undefined {
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
  readonly code: number;
  /** Such as `IC0503`. */
  readonly errorCode: string | undefined;
  readonly text: string;
}

/** @param text the reject message of the network, which may be long and end in a backtrace */
export function wordRejection(
  text: string,
  rejectCode: number,
  errorCode: string | undefined,
): { message: string; detail: string; reject: Rejection } {
  const [line = ''] = text.split('\n', 1);
  const message = line.length > 300 ? `${line.slice(0, 299)}…` : line;
  const codes = [`reject code ${rejectCode}`, ...(errorCode === undefined ? [] : [errorCode])].join(', ');
  return {
    message: message === '' ? 'The network refused the call.' : message,
    detail: `${text} (${codes})`,
    reject: { code: rejectCode, errorCode, text },
  };
}

/** IC0301, "canister not found": the network has no canister of that id (any more). */
export function isCanisterGone(error: unknown): boolean {
  return error instanceof AppError && (error.detail ?? '').includes('IC0301');
}

/** IC0207, "out of cycles": the canister cannot pay for taking in a message, as when it is frozen. */
export function isOutOfCycles(error: unknown): boolean {
  return error instanceof AppError && (error.detail ?? '').includes('IC0207');
}

/** IC0512, "only controllers may call": somebody has taken the canister from the console. */
export function isControlLost(error: unknown): boolean {
  return error instanceof AppError && (error.detail ?? '').includes('IC0512');
}
