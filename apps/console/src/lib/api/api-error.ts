import { errorBody, outcomeOf } from '@cannery/contract';

const refusal = outcomeOf(errorBody);

interface ApiErrorFields {
  /** HTTP status; 0 when no answer came, a proxy's where one stands before the service. */
  readonly status: number;
  readonly code: string;
  /** The body's `error`, if it has one. */
  readonly error?: string;
  /** The service's own sentence, if it sent one. */
  readonly said?: string;
  readonly nextStep?: string;
  readonly detail?: string;
}

/** A call that failed: refused by the service, unreadable, or never answered. `message` is a sentence for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly error: string | undefined;
  readonly said: string | undefined;
  readonly nextStep: string | undefined;
  readonly detail: string | undefined;

  constructor(message: string, fields: ApiErrorFields, options?: ErrorOptions) {
    super(message, options);
    this.status = fields.status;
    this.code = fields.code;
    this.error = fields.error;
    this.said = fields.said;
    this.nextStep = fields.nextStep;
    this.detail = fields.detail;
  }

  /** The error an answer other than 2xx stands for; bodies that are not the service's own still give a sentence. */
  static fromAnswer(status: number, body: unknown): ApiError {
    const { error, message, code, next_step: nextStep, detail } = refusal.read(body);
    const said = message || error || undefined;
    return new ApiError(said ?? `The service answered with status ${status}.`, {
      status,
      code: code ?? 'unknown',
      error: error || undefined,
      said,
      nextStep: nextStep ?? undefined,
      detail: detail ?? undefined,
    });
  }

  /**
   * A call that got no answer of the service.
   * @param mayRepeat whether the call was to do something that would be done once more if it is made again
   * @param status that of the proxy which has answered instead
   */
  static unreachable(cause: unknown, { mayRepeat = false, status = 0 } = {}): ApiError {
    return new ApiError(
      status === 0 ? 'The service did not answer.' : `The service answered with status ${status}.`,
      {
        status,
        code: 'unreachable',
        nextStep: mayRepeat
          ? 'It may have happened: look before you try again.'
          : 'Check that Cannery is running, then try again.',
      },
      { cause },
    );
  }

  static unreadable(path: string, cause: unknown): ApiError {
    return new ApiError(
      'The service sent an answer that this page cannot read.',
      {
        status: 0,
        code: 'unreadable_answer',
        nextStep: 'Reload the page; it may be older than the service.',
        detail: `${path}: ${cause instanceof Error ? cause.message : String(cause)}`,
      },
      { cause },
    );
  }
}

/** Whether a call, or what was made of several, failed for want of an answer of the service. */
export function isLost(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 'unreachable';
  return error instanceof Error && error.cause !== undefined && isLost(error.cause);
}

/** Whether a service does not have a call: one of ours, which the specification does not name. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/**
 * Whether a service answered a call of ours in any way: the call of the specification is asked next then (API-04). No answer at all would
 * not come to that one either.
 */
export function isAnswered(error: unknown): boolean {
  return error instanceof ApiError && error.code !== 'unreachable';
}

interface DescribedError {
  readonly reason: string;
  readonly nextStep: string;
  /** Everything worth copying into a report. */
  readonly detail: string;
}

/** What a person needs to know of an error: why, what to do next, and a detail to copy. */
export function describeError(error: unknown): DescribedError {
  if (error instanceof ApiError) {
    const facts = [error.message, `status ${error.status}`, `code ${error.code}`, error.detail];
    return {
      reason: /[\p{L}\p{N}]$/u.test(error.message) ? `${error.message}.` : error.message,
      nextStep: error.nextStep ?? 'Try again.',
      detail: facts.filter((fact) => fact !== undefined).join('\n'),
    };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { reason, nextStep: 'Reload the page and try again.', detail: reason };
}

/** The code of an error of the service; empty for all others. */
export function codeOf(error: unknown): string {
  return error instanceof ApiError ? error.code : '';
}

/** What the service says to do next, for the small type of a toast. */
export function nextStepOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.nextStep : undefined;
}

/**
 * The text of an error toast: the body's `error` for status 400, 'Something went wrong' for anything else
 * (creation of a canister, update of a deploy).
 */
export function badRequestText(error: unknown): string {
  return (error instanceof ApiError && error.status === 400 && error.error) || 'Something went wrong';
}

/** Why the service has refused something, in its own words; undefined where it says nothing. */
export function saidOf(error: unknown): string | undefined {
  return serverText(error, '') || undefined;
}

/** The service's own text whatever the status, else the fall-back. */
export function serverText(error: unknown, fallback = 'Something went wrong'): string {
  return (error instanceof ApiError && (error.error ?? error.said)) || fallback;
}
