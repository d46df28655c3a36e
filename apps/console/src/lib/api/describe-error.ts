import { ApiError } from './api-error.ts';

export interface DescribedError {
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

/** The service's own text whatever the status, else the fall-back. */
export function serverText(error: unknown, fallback = 'Something went wrong'): string {
  return (error instanceof ApiError && (error.error ?? error.said)) || fallback;
}
