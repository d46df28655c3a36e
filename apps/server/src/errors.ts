import { type ErrorBody, type ErrorCode, errorCodes } from '@cannery/contract';

/** An error that the caller may see: a code of the contract, a plain sentence, and optional technical detail. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  /** Seconds after which the same call may succeed; goes into the header Retry-After. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { detail?: string; cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.detail = options.detail;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A setting that keeps the server from starting; its message is meant for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The one sentence for an id that is unknown or belongs to somebody else: the two must not be told apart. */
export function notFound(what: string): AppError {
  return new AppError('not_found', `${what} not found.`);
}

/** Whether the network could not be reached or did not answer in time; what was asked of it may or may not have happened. */
export function isNetworkAway(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'network_unavailable';
}

/** Whether the network has answered, and refused. */
export function isRefused(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'network_rejected';
}

/** The only place where an error becomes an HTTP answer. What is not an AppError says nothing of the inside. */
export function errorAnswer(error: unknown): { status: number; body: ErrorBody } {
  const known =
    error instanceof AppError ? error : new AppError('internal', 'Something went wrong on the server.');
  const { status, nextStep } = errorCodes[known.code];
  return {
    status,
    body: {
      error: known.message,
      message: known.message,
      code: known.code,
      next_step: nextStep,
      ...(known.detail === undefined ? {} : { detail: known.detail }),
    },
  };
}

/** The machine could not begin a thread, such as for lack of descriptors: what it was to read has no fault. */
export class ThreadStartError extends Error {
  override readonly name = 'ThreadStartError';
}

/** The text of anything thrown, for logs and for the detail of an answer. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
