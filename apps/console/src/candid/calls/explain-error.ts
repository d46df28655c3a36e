import { CandidError } from '@cannery/candid';
import {
  AgentError,
  CertifiedRejectErrorCode,
  ErrorKindEnum,
  HttpErrorCode,
  HttpFetchErrorCode,
  IngressExpiryInvalidErrorCode,
  TimeoutWaitingForResponseErrorCode,
  UncertifiedRejectErrorCode,
  UncertifiedRejectUpdateErrorCode,
} from '@icp-sdk/core/agent';
import { ApiError } from '../../lib/api/api-error.ts';
import { ReplyMismatchError } from './call-method.ts';
import { ERROR_CODES, REJECT_CODES, REJECT_WORDS } from './reject-words.ts';

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

/** An error in words for the person at the page. */
export interface ExplainedError {
  readonly title: string;
  readonly message: string;
  readonly nextStep: string;
  /** `5 CANISTER_ERROR`, only when the call was rejected. */
  readonly rejectCode?: string;
  /** `IC0503`, only when the network gave one. */
  readonly errorCode?: string;
  /** Everything worth copying into a report. */
  readonly detail: string;
}

/** Says what happened, why, and what to do next. */
export function explainError(error: unknown): ExplainedError {
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const of = (title: string, message: string, nextStep: string): ExplainedError => {
    return { title, message, nextStep, detail };
  };
  if (error instanceof ReplyMismatchError) {
    const step = 'The interface may be out of date: reload the page, or paste the right .did text.';
    return {
      ...of('The reply does not fit the interface', error.message, step),
      detail: `${detail}\nReply: ${error.hex}`,
    };
  }
  if (error instanceof CandidError)
    return of('The input is not right', error.message, 'Correct it and call again.');
  if (error instanceof ApiError) {
    return of('Cannery did not answer', error.message, error.nextStep ?? 'Try again.');
  }
  if (error instanceof RefusedCallError) return explainReject(error, of);
  if (error instanceof UnknownOutcomeError) return noReply(of);
  if (error instanceof AgentError) return explainAgentError(error, of);
  const message = error instanceof Error ? error.message : String(error);
  return of(
    'Something went wrong',
    message,
    'Try again. If it happens again, copy the details into a report.',
  );
}

type Explain = (title: string, message: string, nextStep: string) => ExplainedError;

function explainReject({ rejectCode, errorCode, message }: RefusedCallError, of: Explain): ExplainedError {
  const words = ERROR_CODES.get(errorCode ?? '') ?? REJECT_WORDS[rejectCode ?? 0];
  return {
    ...of(
      words?.title ?? 'The call was rejected',
      message,
      words?.nextStep ?? 'Correct what the message names and call again.',
    ),
    ...(rejectCode === undefined
      ? {}
      : { rejectCode: `${rejectCode} ${REJECT_CODES[rejectCode] ?? 'unknown'}` }),
    ...(errorCode ? { errorCode } : {}),
  };
}

function noReply(of: Explain): ExplainedError {
  return of(
    'No reply in time',
    'The call was accepted, but its result did not come.',
    'It may still be executed. Look at the canister’s state before you call again.',
  );
}

function explainAgentError(error: AgentError, of: Explain): ExplainedError {
  const { code } = error;
  if (
    code instanceof CertifiedRejectErrorCode ||
    code instanceof UncertifiedRejectErrorCode ||
    code instanceof UncertifiedRejectUpdateErrorCode
  ) {
    const refused = new RefusedCallError(Number(code.rejectCode), code.rejectErrorCode, code.rejectMessage);
    return explainReject(refused, of);
  }
  if (code instanceof HttpFetchErrorCode) {
    return of(
      'The network did not answer',
      'No connection to its address was possible.',
      'Check that the network is running and that its address is right, then try again.',
    );
  }
  if (code instanceof HttpErrorCode) {
    const said = code.bodyText?.trim() || code.statusText;
    return of(
      'The network refused the request',
      `Status ${code.status}: ${said}`,
      code.status === 413
        ? 'Shorten the arguments; the same call would be refused again.'
        : 'Try again. If it happens again, copy the details into a report.',
    );
  }
  if (code instanceof TimeoutWaitingForResponseErrorCode) return noReply(of);
  if (code instanceof IngressExpiryInvalidErrorCode) {
    return of('The clocks differ', code.toErrorMessage(), 'Set the clock of this computer and try again.');
  }
  if (error.kind === ErrorKindEnum.Trust) {
    return of(
      'The reply cannot be trusted',
      code.toErrorMessage(),
      'Its signature does not match the network’s key. Check the address of the network; do not rely on the reply.',
    );
  }
  return of(
    'The call failed',
    code.toErrorMessage(),
    'Try again. If it happens again, copy the details into a report.',
  );
}
